import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

describe('the CLI', () => {
  const yard = useYard();

  it('opens, types into, waits for, reads and closes a terminal', async () => {
    const opened = await yard().cli('new');
    const surface = opened.stdout.trim();
    expect(surface).toMatch(/^surface:\d+$/);
    await yard().cli('send', surface, '--enter', 'echo sum $((40+2))');
    const waited = await yard().cli('wait', surface, '--text', 'sum 4\\d');
    expect(waited).toMatchObject({ code: 0, stdout: 'sum 42\n' });
    expect((await yard().cli('read', surface)).stdout).toContain('sum 42');
    expect((await yard().cli('tree')).stdout).toContain(surface);
    expect(await yard().cli('close', surface)).toMatchObject({ code: 0, stderr: '' });
    expect((await yard().cli('tree')).stdout).not.toContain(surface);
  });

  it('splits a pane and presses keys', async () => {
    const split = await yard().cli('split', '--direction', 'down', '--', 'cat');
    const surface = split.stdout.trim();
    await yard().cli('send', surface, 'typed');
    expect((await yard().cli('wait', surface, '--text', 'typed')).code).toBe(0);
    await yard().cli('key', surface, 'ctrl-u', 'ctrl-d');
    const gone = await yard().cli('wait', surface, '--exit');
    expect([0, 1], 'it ends while we wait, or has gone with its program already').toContain(gone.code);
  });

  it('opens a terminal in a workspace of its own, with the working directory and environment it was given', async () => {
    const made = await yard().cli(
      'new',
      '--title',
      'mine',
      '--cwd',
      '/',
      '--env',
      'COLOUR=blue',
      '--keep',
      '--',
      'sh',
      '-c',
      'echo "$COLOUR in $(pwd)"',
    );
    const surface = made.stdout.trim();
    expect((await yard().cli('wait', surface, '--text', 'blue in /')).code).toBe(0);
    expect((await yard().cli('tree')).stdout).toContain('mine');
    expect((await yard().cli('wait', surface, '--exit')).stdout).toBe('exited: 0\n');
  });

  it('types what standard input holds when there is no text', async () => {
    const surface = (await yard().cli('new', '--', 'cat')).stdout.trim();
    expect((await yard().cli('send', surface)).code).toBe(0);
  });

  it('gives the whole result as JSON', async () => {
    const { processes } = JSON.parse((await yard().cli('status', '--json')).stdout);
    expect(processes.map(({ name }: { name: string }) => name).sort()).toEqual(
      ['bus', 'detector', 'git-service', 'gateway', 'keeper', 'notifier', 'pty-host', 'workspace-service'].sort(),
    );
    for (const process of processes) {
      expect(process).toMatchObject({ state: 'ready', restarts: 0, pid: expect.any(Number) });
      expect(process.uptime_ms).toBeGreaterThan(0);
      expect(process.rss_bytes).toBeGreaterThan(0);
    }
    expect(JSON.parse((await yard().cli('tree', '--json')).stdout).windows).toHaveLength(1);
  });

  it('calls any method, and helps with a name that is none', async () => {
    expect(await yard().cli('call', 'system.ping')).toMatchObject({ code: 0, stdout: '{"pong":true}\n' });
    const wrong = await yard().cli('call', 'surface.lst');
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('Did you mean surface.list?');
    const refused = await yard().cli('--json', 'call', 'surface.read_text', '{"surface_id":"surface:9999"}');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr).error.code).toBe('not_found');
    expect((await yard().cli('call', 'system.ping', '[]')).code).toBe(2);
  });

  it('H3: shows the title of a terminal cleaned, and as it is in JSON', async () => {
    const client = await yard().client();
    const title = 'a\u202eb\nc\x1b]0;x\x07';
    const { workspace_ref, workspace_id } = await client.call('workspace.create', { title: 'plain' });
    await client.call('workspace.rename', { workspace_id, title });
    const line = (await yard().cli('tree')).stdout.split('\n').find((text) => text.includes(workspace_ref)) ?? '';
    expect(line).toContain('a b c');
    expect(line).not.toMatch(/[\x00-\x1f\u202e]/);
    const json = JSON.parse((await yard().cli('tree', '--json')).stdout);
    const titles = json.windows.flatMap(({ workspaces }: { workspaces: { title: string }[] }) =>
      workspaces.map((workspace) => workspace.title),
    );
    expect(titles).toContain(title);
  });

  it('stops waiting when the time is over, with a code of its own', async () => {
    const surface = (await yard().cli('new', '--', 'cat')).stdout.trim();
    const late = await yard().cli('wait', surface, '--text', 'never', '--timeout', '300ms');
    expect(late.code).toBe(4);
    expect(late.stderr).toContain('timeout');
  });
});
