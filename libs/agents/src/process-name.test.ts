import { describe, expect, it } from 'vitest';
import { processNames, runsScript } from './process-name.js';

const names = (line: string, comm = 'node') => processNames({ comm, argv: line.split(' ') });

describe('the names of a process', () => {
  it('is the program itself where nothing wraps it', () => {
    expect(names('/usr/local/bin/claude', 'claude')).toEqual(['claude']);
    expect(names('-zsh', 'zsh')).toEqual(['zsh']);
  });

  it('looks through interpreters to the script', () => {
    expect(names('node /opt/x/node_modules/.bin/gemini', 'MainThread')).toEqual(['gemini']);
    expect(names('python3.12 -X utf8 /usr/bin/aider --model x', 'aider')).toEqual(['aider']);
    expect(names('bash /tmp/fake-agent.sh', 'bash')).toEqual(['fake-agent']);
    expect(names('node --import tsx /x/pi.js', 'pi')).toEqual(['pi']);
  });

  it('takes the package where the file says nothing', () => {
    expect(names('node /x/node_modules/@anthropic-ai/claude-code/cli.js')).toEqual([
      'claude-code',
      '@anthropic-ai/claude-code',
    ]);
    expect(names('node /src/cline/dist/index.js')).toEqual(['cline']);
  });

  it('looks through launchers, one in another', () => {
    expect(names('npx -y @openai/codex@latest', 'npm exec')).toContain('codex');
    expect(names('env FOO=1 node /x/bin/qwen')).toEqual(['qwen']);
    expect(names('uv run aider', 'uv')).toEqual(['aider']);
    expect(names('python -m aider', 'python')).toEqual(['aider']);
  });

  it('does not take an argument or a program text for the program', () => {
    expect(names('bash -c claude', 'bash')).not.toContain('claude');
    expect(names('node -e require("claude")')).not.toContain('claude');
    expect(names('vim claude', 'vim')).toEqual(['vim']);
    expect(names('npm install claude', 'npm')).toEqual(['npm']);
  });

  it('falls back to the name a program gives itself', () => {
    expect(processNames({ comm: 'pi', argv: ['pi', '', ''] })).toEqual(['pi']);
    expect(processNames({ comm: 'omp', argv: ['/opt/bun', '/x/node_modules/.bin/omp'] })).toEqual(['omp']);
    expect(processNames({ comm: 'claude', argv: [] })).toEqual(['claude']);
  });

  it('tells a script from an interactive shell', () => {
    expect(runsScript(['bash', '/tmp/x.sh'])).toBe(true);
    expect(runsScript(['/bin/bash', '--noprofile', '--rcfile', '/h/.bashrc', '-i'])).toBe(false);
    expect(runsScript(['bash', '-c', 'x'])).toBe(false);
    expect(runsScript(['sleep', '8'])).toBe(false);
  });
});
