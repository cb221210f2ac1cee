import { waitFor, within } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { CliInTerminal } from './pty-program.js';
import { useYard } from './use-yard.js';

const DETACH = '\x1d';

describe('switchyard attach', () => {
  const yard = useYard();

  async function open(...command: string[]): Promise<string> {
    return (await yard().cli('new', '--keep', ...(command.length > 0 ? ['--', ...command] : []))).stdout.trim();
  }

  it('shows what is there, then types and shows what comes, and leaves at the detach key', async () => {
    const surface = await open();
    await yard().cli('send', surface, '--enter', 'echo before-$((1+1))');
    await yard().cli('wait', surface, '--text', 'before-2');
    const terminal = new CliInTerminal(['attach', surface], yard().env);
    await terminal.shows(/before-2/);
    terminal.type('echo during-$((2+2))\r');
    await terminal.shows(/during-4/);
    terminal.type(DETACH);
    expect(await within(10_000, 'attach ends', terminal.exited)).toBe(0);
    expect(terminal.text).toContain(`[detached from ${surface}]`);
    expect((await yard().cli('read', surface)).stdout).toContain('during-4');
  });

  it('gives the terminal the size of the outer one, follows it, and gives it back', async () => {
    const surface = await open();
    const client = await yard().client();
    const size = async () => {
      const { cols, rows } = await client.call('surface.read_text', { surface_id: surface });
      return `${cols}x${rows}`;
    };
    const own = await size();
    const terminal = new CliInTerminal(['attach', surface], yard().env, { cols: 77, rows: 22 });
    await waitFor('it has our size', async () => (await size()) === '77x22');
    terminal.resize(101, 33);
    await waitFor('it follows', async () => (await size()) === '101x33');
    terminal.type(DETACH);
    await within(10_000, 'attach ends', terminal.exited);
    expect(await size()).toBe(own);
  });

  it('leaves the outer terminal with the modes it had', async () => {
    const surface = await open(
      'sh',
      '-c',
      'printf "\\033[?1049h\\033[?25l\\033[?1003h\\033[?2004h"; echo full-screen; cat',
    );
    await yard().cli('wait', surface, '--text', 'full-screen');
    const terminal = new CliInTerminal(['attach', surface], yard().env);
    await terminal.shows(/full-screen/);
    terminal.type(DETACH);
    await within(10_000, 'attach ends', terminal.exited);
    for (const undone of ['?1049l', '?25h', '?1003l', '?2004l']) {
      const set = undone.endsWith('h') ? undone.replace('h', 'l') : undone.replace('l', 'h');
      expect(terminal.text.lastIndexOf(`\x1b[${undone}`), undone).toBeGreaterThan(
        terminal.text.lastIndexOf(`\x1b[${set}`),
      );
    }
  });

  it('goes on through a restart of the gateway, without losing or doubling a line', async () => {
    const surface = await open('sh', '-c', 'while read n; do echo "got <$n>"; done');
    const terminal = new CliInTerminal(['attach', surface], yard().env);
    terminal.type('one\r');
    await terminal.shows(/got <one>/);
    await yard().untilRestarted('gateway', await yard().kill('gateway'));
    terminal.type('two\r');
    await terminal.shows(/got <two>/);
    expect(terminal.text.match(/got <one>/g)).toHaveLength(1);
    expect(terminal.text.match(/got <two>/g)).toHaveLength(1);
    terminal.type(DETACH);
    await within(10_000, 'attach ends', terminal.exited);
  });

  it('ends when the program does, and says how', async () => {
    const surface = await open('sh', '-c', 'read line; exit 5');
    const terminal = new CliInTerminal(['attach', surface], yard().env);
    await waitFor('it is attached', async () => terminal.text.length > 0);
    terminal.type('\r');
    await within(15_000, 'attach ends', terminal.exited);
    expect(terminal.text).toContain(`[${surface} exited: 5]`);
  });

  it('leaves in order when it is told to end by a signal', async () => {
    const surface = await open();
    const terminal = new CliInTerminal(['attach', surface], yard().env);
    await terminal.shows(/\$|#/);
    terminal.kill('SIGTERM');
    expect(await within(10_000, 'attach ends', terminal.exited)).toBe(0);
    expect(terminal.text).toContain('[detached');
  });

  it('refuses without a terminal, and the terminal it is in', async () => {
    const surface = await open();
    const refused = await yard().cli('attach', surface);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('needs a terminal');
  });
});
