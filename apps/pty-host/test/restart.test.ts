import { once } from 'node:events';
import type { MethodName, Params, Result } from '@switchyard/protocol';
import { logRootOf } from '@switchyard/pty-host/keeper';
import { LogReader } from '@switchyard/store/log';
import { waitFor as eventually } from '@switchyard/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Host, readAll, startHost } from './support/host.js';

const shell = (script: string) => ['/bin/sh', '-c', script];
const LINES = 60_000;

let host: Host;
const call = <M extends MethodName>(method: M, params: Params<M>, timeoutMs?: number): Promise<Result<M>> =>
  host.bus.call(method, params, { address: 'local-0', ...(timeoutMs && { timeoutMs }) });
const waitFor = (surface_id: string, pattern: string) =>
  call('terminal.wait', { surface_id, pattern, lines: 100_000, timeout_ms: 30_000 });

async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const child = host.ptyHost();
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

beforeEach(async () => {
  host = await startHost({
    checkpoint_bytes: 128 * 1024,
    scrollback_lines: 100_000,
    log_budget_bytes: 64 * 1024 * 1024,
  });
});
afterEach(async () => host.stop());

it('loses nothing when it is killed in mid-flood, on the screen or in the log', async () => {
  const flood = `awk 'BEGIN { for (i = 1; i <= ${LINES}; i++) { print i; if (i % 2000 == 0) system("sleep 0.1") } }'`;
  const surface_id = await host.open(shell(`printf '\\033[?2004h\\033[>1u'; ${flood}; printf 'END'; read x`));
  for (const line of [8000, 22_000, 40_000]) {
    await waitFor(surface_id, `\\n${line}\\n`);
    await kill();
    await host.startPtyHost();
  }
  await waitFor(surface_id, 'END');
  const { text } = await call('terminal.read_text', { surface_id, scrollback: true });
  const expected = [...Array.from({ length: LINES }, (_, i) => String(i + 1)), 'END'].join('\n');
  expect(text === expected).toBe(true);
  const snapshot = Buffer.from((await call('terminal.snapshot', { surface_id, scrollback_lines: 0 })).data, 'base64');
  expect(snapshot.toString()).toMatch(/\x1b\[\?2004h[\s\S]*\x1b\[>1u/);
  await call('terminal.send_key', { surface_id, key: 'enter' });
  const { data } = await readAll(host.bus, surface_id);
  expect(data.toString().replaceAll('\r\n', '\n')).toContain(expected);
});

it('answers a wait that was in flight when it was killed', async () => {
  const surface_id = await host.open(shell('echo here; read x; echo marker; read y'));
  await waitFor(surface_id, 'here');
  const pattern = waitFor(surface_id, 'marker');
  const exit = call('terminal.wait', { surface_id, exit: true, lines: 1, timeout_ms: 30_000 });
  await call('terminal.get', { surface_id });
  await kill();
  await host.startPtyHost();
  await call('terminal.send_key', { surface_id, key: 'enter' });
  expect(await pattern).toMatchObject({ match: 'marker' });
  await call('terminal.send_key', { surface_id, key: 'enter' });
  expect(await exit).toMatchObject({ exit: { exit_code: 0 } });
});

it('keeps the screen over a stop and a start, and does not answer old questions of programs again', async () => {
  const surface_id = await host.open(
    shell("stty raw -echo; printf '\\033[c'; dd bs=1 count=7 2>/dev/null | od -c; printf 'asked'; exec cat -v"),
  );
  await waitFor(surface_id, 'asked');
  await kill('SIGTERM');
  await host.startPtyHost();
  await call('terminal.send_text', { surface_id, text: 'typed', paste: false });
  await waitFor(surface_id, 'askedtyped');
});

it('E6: catches up after it was stopped and continued', async () => {
  const surface_id = await host.open(shell('seq 1000000; printf END; read y'));
  const log = new LogReader(logRootOf(host.env.paths, 'state'), surface_id);
  host.ptyHost().kill('SIGSTOP');
  const before = log.end();
  await eventually('output is logged while the pty-host stands still', () => log.end() > before + 1_000_000);
  host.ptyHost().kill('SIGCONT');
  expect(await waitFor(surface_id, 'END')).toMatchObject({ match: 'END' });
  const { text } = await call('terminal.read_text', { surface_id, scrollback: true });
  expect(text.endsWith('999999\n1000000\nEND')).toBe(true);
  log.close();
});

it('goes on when the keeper dies: its terminals are exited and readable', async () => {
  const surface_id = await host.open(shell('echo before; read x'));
  await waitFor(surface_id, 'before');
  const waiting = call('terminal.wait', { surface_id, exit: true, lines: 1, timeout_ms: 30_000 });
  const gone = once(host.keeper(), 'exit');
  host.keeper().kill('SIGKILL');
  await gone;
  await host.startKeeper();
  expect(await waiting).toMatchObject({ exit: { exit_code: null, signal: 'SIGHUP' } });
  expect((await call('terminal.read_text', { surface_id, scrollback: true })).text).toBe('before');
  const again = await host.open(shell('echo after; read x'));
  await waitFor(again, 'after');
});

it('starts a program again in the same terminal, without the modes of the one before', async () => {
  const surface_id = await host.open(shell("printf 'one\\033[?1049h\\033[?25l\\033[31m'"));
  await call('terminal.wait', { surface_id, exit: true, lines: 1, timeout_ms: 15_000 });
  const env = { PATH: '/usr/bin:/bin' };
  await call('terminal.open', { surface_id, argv: shell('echo two; read x'), cwd: '/', env, cols: 40, rows: 10 });
  await waitFor(surface_id, 'two');
  expect(await call('terminal.read_text', { surface_id, scrollback: true })).toMatchObject({
    text: 'one\ntwo',
    cols: 40,
  });
  const snapshot = Buffer.from((await call('terminal.snapshot', { surface_id })).data, 'base64').toString();
  expect(snapshot).not.toContain('\x1b[?25l');
});
