import { once } from 'node:events';
import type { BusEvent, MethodName, Params, Result } from '@switchyard/protocol';
import { waitFor as eventually } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Host, startHost } from './support/host.js';

const shell = (script: string) => ['/bin/sh', '-c', script];
const osc = (data: string) => `\\033]7501;${data}\\033\\\\`;
/** Prints so many bytes of what it is sent, in letters that the terminal shows. */
const readBack = (bytes: number) => `dd bs=1 count=${bytes} 2>/dev/null | od -An -c | tr -s ' \\n' ' '`;

let host: Host;
const call = <M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> =>
  host.bus.call(method, params, { address: 'local-0' });
const waitFor = (surface_id: string, pattern: string) =>
  call('terminal.wait', { surface_id, pattern, lines: 2000, timeout_ms: 20_000 });
const states = async (surface_id: string) =>
  (await call('terminal.status_records', { surface_id })).records.map(({ id, state }) => `${id}=${state}`);

async function restart(): Promise<void> {
  const child = host.ptyHost();
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  await host.startPtyHost();
}

describe("a program's own status", () => {
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(async () => host.stop());

  it('is asked for before device attributes, and answered before them, with the same bytes', async () => {
    const surface_id = await host.open(
      shell(`stty raw -echo; printf '${osc('?')}\\033[c'; ${readBack(17)}; printf END; read x`),
    );
    await waitFor(surface_id, 'END');
    const { text } = await call('terminal.read_text', { surface_id, scrollback: false });
    const answered = '033 ] 7 5 0 1 ; ? 033 \\ 033 [ ? 1 ; 2 c'.split(' ');
    expect(text.replace('END', '').trim().split(/\s+/)).toEqual(answered);
  });

  it('B16: colours and keyboard modes are answered to whoever asks, as input and not on the screen', async () => {
    const questions = '\\033]11;?\\033\\\\\\033[?u';
    const surface_id = await host.open(shell(`stty raw -echo; printf '${questions}'; ${readBack(24)}; exec cat -v`));
    await waitFor(surface_id, 'r g b : 0 0 0 0 / 0 0 0 0 / 0 0 0 0 033 \\\\');
    await call('terminal.send_text', { surface_id, text: 'typed', paste: false });
    // What is left of the answers comes first, whole; nothing else was typed.
    await waitFor(surface_id, '\\^\\[\\[\\?0utyped');
  });

  it('B16: an answer that comes in pieces reaches the asker as it was sent, and a lone ESC stays one', async () => {
    const [first, rest] = ['\x1b]11;rgb:', '1e1e/1e1e/2e2e\x1b\\'];
    const script = `${readBack(first.length)}; printf HALF; ${readBack(rest.length)}; ${readBack(1)}; printf END; read x`;
    const surface_id = await host.open(shell(`stty raw -echo; printf ASKED; ${script}`));
    await waitFor(surface_id, 'ASKED');
    const write = (text: string) =>
      call('terminal.write', { surface_id, data: Buffer.from(text, 'latin1').toString('base64') });
    await write(first);
    await waitFor(surface_id, '033 \\] 1 1 ; r g b : HALF');
    await write(rest);
    await write('\x1b');
    await waitFor(surface_id, '1 e 1 e / 1 e 1 e / 2 e 2 e 033 \\\\ +033 END');
    expect((await call('terminal.get', { surface_id })).exit).toBeNull();
  });

  it('is told as an event, listed, and painted again for one who attaches', async () => {
    const told: BusEvent<'terminal.status_changed'>[] = [];
    const surface_id = await host.open(
      shell(`printf '${osc('state=working:app=make:progress=10')}${osc('state=idle:id=a')}on'; read x`),
    );
    host.bus.subscribe('terminal.status_changed', (event) => event.surface_id === surface_id && told.push(event));
    await waitFor(surface_id, 'on');
    const { records } = await call('terminal.status_records', { surface_id });
    expect(records).toMatchObject([
      { id: '', state: 'working', app: 'make', progress: 10 },
      { id: 'a', state: 'idle', app: 'make' },
    ]);
    const snapshot = await call('terminal.snapshot', { surface_id });
    const [data, restore] = [snapshot.data, snapshot.restore].map((bytes) => Buffer.from(bytes, 'base64').toString());
    expect(data).toContain('\x1b]7501;state=working:progress=10:app=make\x1b\\\x1b]7501;state=idle:id=a\x1b\\');
    expect(restore).toContain('\x1b]7501;state=clear\x1b\\');
    await call('terminal.send_key', { surface_id, key: 'enter' });
    await eventually('the end of work is told', () => told.at(-1)?.count === 1 && told.at(-1)?.root === null);
    expect(await states(surface_id)).toEqual(['a=idle']);
  });

  it('B17: what a program puts on the clipboard is kept for whoever asks, and nobody has to be attached', async () => {
    const surface_id = await host.open(shell("printf '\\033]52;c;SGVsbG8=\\007copied'; read x"));
    await waitFor(surface_id, 'copied');
    const { said } = await call('terminal.status_records', { surface_id });
    expect(said).toMatchObject([{ kind: 'clipboard', text: 'Hello' }]);
    expect((await call('terminal.read_text', { surface_id, scrollback: false })).text).toBe('copied');
  });

  it('ends with the prompt that comes after it', async () => {
    const surface_id = await host.open(
      shell(`printf '${osc('state=working')}${osc('state=error:id=x')}\\033]133;A\\007$ '; read x`),
    );
    await waitFor(surface_id, '\\$ ');
    expect(await states(surface_id)).toEqual(['x=error']);
    const { said } = await call('terminal.status_records', { surface_id });
    expect(said).toMatchObject([{ kind: 'prompt', text: 'A' }]);
  });
});

describe('after the death of the pty-host', () => {
  beforeEach(async () => {
    host = await startHost({ checkpoint_bytes: 64 * 1024 });
  });
  afterEach(async () => host.stop());

  it('the records are as they were, from the checkpoint and from what came after it', async () => {
    const filler = 'awk \'BEGIN { for (i = 0; i < 3000; i++) print i, ".........................." }\'';
    const first = osc('state=blocked:kind=permission:app=claude:msg=YXNr');
    const surface_id = await host.open(
      shell(`printf '${first}'; ${filler}; echo READY; read x; printf '${osc('state=done:id=b')}MORE'; read y`),
    );
    await waitFor(surface_id, 'READY');
    await restart();
    await call('terminal.send_key', { surface_id, key: 'enter' });
    await waitFor(surface_id, 'MORE');
    expect(await states(surface_id)).toEqual(['=blocked', 'b=done']);
    await restart();
    const { records } = await call('terminal.status_records', { surface_id });
    expect(records[0]).toMatchObject({ state: 'blocked', kind: 'permission', app: 'claude', msg: 'ask' });
    expect(records).toHaveLength(2);
  });

  it('no question that was answered is answered again', async () => {
    const surface_id = await host.open(
      shell(`stty raw -echo; printf '${osc('?')}'; ${readBack(10)}; printf asked; exec cat -v`),
    );
    await waitFor(surface_id, 'asked');
    await eventually('the question is marked as answered', async () => {
      const { offset } = await call('terminal.get', { surface_id });
      return offset > 10;
    });
    await restart();
    await call('terminal.send_text', { surface_id, text: 'typed', paste: false });
    await waitFor(surface_id, 'askedtyped');
  });
});
