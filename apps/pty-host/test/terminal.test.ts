import type { MethodName, Params, Result } from '@switchyard/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, readAll, startHost } from './support/host.js';

const shell = (script: string) => ['/bin/sh', '-c', script];

let host: Host;
const call = <M extends MethodName>(method: M, params: Params<M>, timeoutMs?: number): Promise<Result<M>> =>
  host.bus.call(method, params, { address: 'local-0', ...(timeoutMs && { timeoutMs }) });
const waitFor = (surface_id: string, pattern: string, timeout_ms = 15_000, lines = 2000) =>
  call('terminal.wait', { surface_id, pattern, lines, timeout_ms });
const waitExit = (surface_id: string) =>
  call('terminal.wait', { surface_id, exit: true, lines: 1, timeout_ms: 15_000 });

beforeAll(async () => {
  host = await startHost();
});
afterAll(async () => host.stop());

describe('reading', () => {
  it('shows what a program prints, and the offset that the text covers', async () => {
    const surface_id = await host.open(shell('printf "hello\\nworld"; read x'));
    await waitFor(surface_id, 'world');
    const screen = await call('terminal.read_text', { surface_id, scrollback: false });
    expect(screen).toMatchObject({ text: 'hello\nworld', offset: 12, cols: 80, rows: 24 });
  });

  it('B2: gives exact bytes, also of an exited terminal, and says where the end is', async () => {
    const surface_id = await host.open(shell("printf '\\377\\376x'"));
    const { data, end } = await readAll(host.bus, surface_id);
    expect([...data]).toEqual([0xff, 0xfe, 0x78]);
    const last = await call('terminal.read_output', { surface_id, offset: end });
    expect(last).toMatchObject({ offset: 3, next_offset: 3, data: '', eof: true, exit: { exit_code: 0, offset: 3 } });
    await expect(call('terminal.read_output', { surface_id, offset: 4 })).rejects.toMatchObject({
      code: 'invalid_params',
      data: { offset: 4, end: 3 },
    });
  });

  it('waits for new output up to wait_ms and then answers without', async () => {
    const surface_id = await host.open(shell('read x; printf "got $x"; read y'));
    const reading = call('terminal.read_output', { surface_id, offset: 0, wait_ms: 15_000 });
    await call('terminal.send_text', { surface_id, text: 'a', paste: false });
    expect(Buffer.from((await reading).data, 'base64').toString()).toBe('a');
    const nothing = await call('terminal.read_output', { surface_id, offset: 1, wait_ms: 10 });
    expect(nothing).toMatchObject({ data: '', next_offset: 1, eof: false });
  });

  it('B12: a read after a megabyte shows its end', async () => {
    const surface_id = await host.open(shell('seq 200000; printf END; read x'));
    await waitFor(surface_id, 'END');
    const { text } = await call('terminal.read_text', { surface_id, scrollback: true, lines: 2 });
    expect(text).toBe('200000\nEND');
  });

  it('paints a terminal into a fresh one', async () => {
    const surface_id = await host.open(shell("printf '\\033[?2004h\\033[?25l\\033[1mbold'; read x"));
    await waitFor(surface_id, 'bold');
    const snapshot = await call('terminal.snapshot', { surface_id });
    const bytes = Buffer.from(snapshot.data, 'base64').toString();
    expect(bytes).toContain('bold');
    expect(bytes).toContain('\x1b[?2004h');
    expect(Buffer.from(snapshot.restore, 'base64').toString()).toContain('\x1b[?2004l');
  });

  it('empties the history without touching the log', async () => {
    const surface_id = await host.open(shell('seq 100; read x'));
    await waitFor(surface_id, '^100$|\\n100$');
    await call('terminal.clear_history', { surface_id });
    const { text } = await call('terminal.read_text', { surface_id, scrollback: true });
    expect(text.split('\n')[0]).toBe('78');
    expect((await call('terminal.read_output', { surface_id, offset: 0 })).offset).toBe(0);
  });

  it('answers what a program asks of its terminal', async () => {
    const surface_id = await host.open(
      shell("stty raw -echo; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null | od -c; sleep 60"),
    );
    await waitFor(surface_id, '033\\s+\\[\\s+1\\s+;\\s+1\\s+R');
  });
});

describe('typing', () => {
  it('types text, presses keys and says how many bytes were taken', async () => {
    const surface_id = await host.open(shell('read line; echo "<$line>"; exec cat -v'));
    expect(await call('terminal.send_text', { surface_id, text: 'one two\n', paste: false })).toMatchObject({
      bytes: 8,
    });
    await waitFor(surface_id, '<one two>');
    await call('terminal.send_key', { surface_id, key: 'f5' });
    await call('terminal.send_key', { surface_id, key: 'enter' });
    await waitFor(surface_id, '\\Q^[[15~\\E');
    await call('terminal.send_key', { surface_id, key: 'eof' });
    expect(await waitExit(surface_id)).toMatchObject({ exit: { exit_code: 0, signal: null } });
  });

  it('pastes with brackets once the program has asked for them', async () => {
    const surface_id = await host.open(shell("printf '\\033[?2004hready'; exec cat -v"));
    await waitFor(surface_id, 'ready');
    await call('terminal.send_text', { surface_id, text: 'a\x1b[201~b\n', paste: true });
    await call('terminal.send_key', { surface_id, key: 'enter' });
    await waitFor(surface_id, '\\Q^[[200~ab\\E');
  });

  it('names an unknown key', async () => {
    const surface_id = await host.open(shell('read x'));
    const pressed = call('terminal.send_key', { surface_id, key: 'anykey' });
    await expect(pressed).rejects.toMatchObject({
      code: 'invalid_params',
      message: 'Unknown key',
      data: { key: 'anykey' },
    });
  });

  it('A3, A4: resize and input after the exit are errors that say so', async () => {
    const surface_id = await host.open(['/bin/true']);
    await waitExit(surface_id);
    const gone = { code: 'terminal_exited' };
    await expect(call('terminal.resize', { surface_id, cols: 100, rows: 30 })).rejects.toMatchObject(gone);
    await expect(call('terminal.send_text', { surface_id, text: 'x', paste: false })).rejects.toMatchObject(gone);
  });

  it('A16: output flows on while input waits for a program that does not read', async () => {
    const surface_id = await host.open(shell('stty raw -echo; while :; do echo line; done'));
    await waitFor(surface_id, 'line');
    const data = Buffer.alloc(500_000, 'x').toString('base64');
    const { offset } = await call('terminal.write', { surface_id, data });
    const later = await call('terminal.read_output', { surface_id, offset, wait_ms: 10_000 });
    expect(later.next_offset).toBeGreaterThan(offset);
    await call('terminal.close', { surface_id, kill_survivors: true }, 20_000);
  });
});

describe('waiting', () => {
  it('answers at once what is true already', async () => {
    const surface_id = await host.open(shell('echo marker; read x'));
    await waitFor(surface_id, 'marker');
    expect(await waitFor(surface_id, 'mark(er)')).toMatchObject({ waited: false, match: 'marker' });
  });

  it('answers when the text arrives, also when it wraps or comes in pieces', async () => {
    const surface_id = await host.open(shell('read x; printf "0123456789abcd"; printf "efghij\\n"; read y'), {
      cols: 10,
      rows: 4,
    });
    const waiting = waitFor(surface_id, '89abcdefghij');
    await call('terminal.send_key', { surface_id, key: 'enter' });
    expect(await waiting).toMatchObject({ waited: true, match: '89abcdefghij' });
  });

  it('finds a match that spans what was there before', async () => {
    const surface_id = await host.open(shell('echo first; seq 100; read x; echo last; read y'));
    await waitFor(surface_id, '100');
    const waiting = waitFor(surface_id, '^first[\\s\\S]*last');
    await call('terminal.send_key', { surface_id, key: 'enter' });
    expect((await waiting).match?.split('\n').length).toBeGreaterThan(100);
  });

  it('sees a line that a flood pushes out of the scrollback at once', async () => {
    const surface_id = await host.open(shell('read x; echo needle; yes "" | head -n 300000; read y'));
    const waiting = waitFor(surface_id, 'needle', 15_000, 10);
    await call('terminal.send_key', { surface_id, key: 'enter' });
    expect(await waiting).toMatchObject({ match: 'needle' });
  });

  it('ends at its deadline', async () => {
    const surface_id = await host.open(shell('read x'));
    await expect(waitFor(surface_id, 'never', 50)).rejects.toMatchObject({ code: 'timeout', data: { timeout_ms: 50 } });
  });

  it('names a pattern that is none', async () => {
    const surface_id = await host.open(shell('read x'));
    await expect(waitFor(surface_id, '(', 50)).rejects.toMatchObject({
      code: 'invalid_params',
      data: { pattern: '(' },
    });
  });

  it('ends a pattern that never finishes, while other terminals go on', async () => {
    const surface_id = await host.open(shell(`printf ${'a'.repeat(60)}; read x`));
    await waitFor(surface_id, 'aaa');
    await expect(waitFor(surface_id, '(a+)+$x')).rejects.toMatchObject({
      code: 'invalid_params',
      data: { pattern: '(a+)+$x' },
    });
  });

  it('C10: answers at once when the terminal is forgotten', async () => {
    const surface_id = await host.open(shell('read x'));
    const waiting = waitFor(surface_id, 'never', 60_000);
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'not_found' });
    await call('terminal.close', { surface_id });
    await call('terminal.forget', { surface_id });
    await outcome;
    await expect(call('terminal.get', { surface_id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tells the exit after the last byte', async () => {
    const surface_id = await host.open(shell('read x; seq 20000; exit 7'));
    const waiting = waitExit(surface_id);
    await call('terminal.send_key', { surface_id, key: 'enter' });
    const { exit } = await waiting;
    expect(exit).toMatchObject({ exit_code: 7, signal: null });
    const { text } = await call('terminal.read_text', { surface_id, scrollback: true, lines: 1 });
    expect(text).toBe('20000');
    expect((await readAll(host.bus, surface_id)).end).toBe(exit?.offset);
  });
});

describe('events', () => {
  it('marks output at most every 50 ms, then tells the exit', async () => {
    const times: number[] = [];
    const exited = new Promise<number>((resolve) => {
      const surface = () => surface_id;
      host.bus.subscribe('terminal.output', (mark) => mark.surface_id === surface() && times.push(mark.offset));
      host.bus.subscribe('terminal.exited', (end) => end.surface_id === surface() && resolve(end.exit.offset));
    });
    const started = Date.now();
    let surface_id = '';
    surface_id = await host.open(shell('for i in 1 2 3 4 5 6 7 8 9 10; do seq 2000; sleep 0.01; done'));
    const end = await exited;
    expect(times.at(-1)).toBe(end);
    expect(times.length).toBeLessThanOrEqual((Date.now() - started) / 50 + 2);
  });

  it('tells title and directory, and lists them', async () => {
    const told: string[] = [];
    host.bus.subscribe('terminal.title_changed', ({ title }) => told.push(title));
    host.bus.subscribe('terminal.cwd_changed', ({ cwd }) => told.push(cwd));
    const surface_id = await host.open(
      shell("printf '\\033]2;my title\\007\\033]7;file://localhost/tmp/x%%20y\\007done'; read x"),
    );
    await waitFor(surface_id, 'done');
    await expect.poll(() => told).toEqual(['my title', '/tmp/x y']);
    const { terminals } = await call('terminal.list', {});
    expect(terminals.find((each) => each.surface_id === surface_id)).toMatchObject({
      title: 'my title',
      cwd: '/tmp/x y',
    });
  });
});

it('B1: a character cut in two by time is one character', async () => {
  const surface_id = await host.open(shell("stty -echo; printf 'A\\342'; read x; printf '\\202\\254 B'; read y"));
  await waitFor(surface_id, 'A');
  await call('terminal.send_key', { surface_id, key: 'enter' });
  await waitFor(surface_id, 'B');
  const { text } = await call('terminal.read_text', { surface_id, scrollback: false });
  expect(text).toBe('A€ B');
});

describe('ending', () => {
  it('ends a program whose start is still on its way to the keeper', async () => {
    const surface_id = '00000000-0000-4000-8000-0000000000ff';
    const program = { surface_id, argv: ['/bin/sleep', '1000'], cwd: '/', env: {}, cols: 80, rows: 24 };
    host.keeper().kill('SIGSTOP');
    const opening = call('terminal.open', program);
    const closing = call('terminal.close', { surface_id });
    // Both have been sent by now: a pty-host answers in the order in which it was asked.
    await call('terminal.list', {});
    host.keeper().kill('SIGCONT');
    await opening;
    expect(await closing).toMatchObject({ exit: { signal: 'SIGHUP' }, survivors: [] });
    expect(await call('terminal.get', { surface_id })).toMatchObject({ exit: { signal: 'SIGHUP' } });
  });
});
