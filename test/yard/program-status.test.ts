import { CLI, waitFor, within } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { CliInTerminal } from './pty-program.js';
import { useYard } from './use-yard.js';

const DETACH = '\x1d';
const QUERY = '\x1b]7501;?';

describe('what a program says of itself', () => {
  const yard = useYard();

  async function open(script: string): Promise<string> {
    return (await yard().cli('new', '--keep', '--', 'sh', '-c', script)).stdout.trim();
  }
  const sy = (...args: string[]) => [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');

  it('is reported by a script with the command line, kept by the yard, and taken back', async () => {
    const client = await yard().client();
    const working = sy('status-report', 'working', '--app', 'deploy', '--progress', '40', '--msg', 'Übertragung');
    const blocked = sy('status-report', 'blocked', '--id', 'db/migrate', '--kind', 'question', '--title', 'Drop it?');
    const surface_id = await open(
      `${working} >/dev/null; ${blocked}; echo said; read x; ${sy('status-report', 'clear')}; echo done; read y`,
    );
    await yard().cli('wait', surface_id, '--text', 'said');
    const { records } = await client.call('surface.status_records', { surface_id });
    expect(records).toMatchObject([
      { id: '', state: 'working', app: 'deploy', progress: 40, msg: 'Übertragung' },
      { id: 'db/migrate', state: 'blocked', app: 'deploy', kind: 'question', title: 'Drop it?' },
    ]);
    await yard().cli('key', surface_id, 'enter');
    await yard().cli('wait', surface_id, '--text', 'done');
    expect((await client.call('surface.status_records', { surface_id })).records).toEqual([]);
  });

  it('is refused by the command line when the protocol does not take it, or nobody is there to hear it', async () => {
    expect(await yard().cli('status-report', 'busy')).toMatchObject({ code: 2 });
    expect(await yard().cli('status-report', 'done', '--progress', '5')).toMatchObject({ code: 2 });
    const { code, stderr } = await yard().cli('status-report', 'working', '--app', 'my app');
    expect([code, stderr]).toEqual([2, expect.stringContaining('app')]);
  });

  it('is shown again to one who attaches, whose terminal is asked nothing', async () => {
    const ask = "printf '\\033]7501;?\\033\\\\\\033[c'; dd bs=1 count=17 2>/dev/null | od -An -c; echo asked";
    const surface = await open(
      `stty raw -echo; printf '\\033]7501;state=working:app=make\\033\\\\ready'; dd bs=1 count=1 2>/dev/null; ${ask}; exec cat -v`,
    );
    await yard().cli('wait', surface, '--text', 'ready');
    const terminal = new CliInTerminal(['attach', surface], yard().env);
    await terminal.shows(/ready/);
    expect(terminal.text).toContain('\x1b]7501;state=working:app=make\x1b\\');
    terminal.type('x');
    await terminal.shows(/asked/);
    expect(terminal.text).not.toContain(QUERY);
    expect(terminal.text).not.toContain('\x1b[c');
    terminal.type('typed');
    await terminal.shows(/asked\s+typed/);
    terminal.type(DETACH);
    await within(10_000, 'attach ends', terminal.exited);
    await waitFor('the outer terminal is told to forget it', () =>
      terminal.text.includes('\x1b]7501;state=clear\x1b\\'),
    );
  });
});
