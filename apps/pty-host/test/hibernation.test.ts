import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, startHost } from './support/host.js';

/** Well below what a terminal is silent for between two steps here. */
const HIBERNATE_AFTER_MS = 20;
const TO = { address: 'local-0', timeoutMs: 30_000 };
/** Prints a line for each line that is typed. */
const PROGRAM = [
  '/bin/sh',
  '-c',
  'stty -echo; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done; while read word; do echo "said $word"; done',
];

let host: Host;
beforeAll(async () => {
  host = await startHost({}, 1, { hibernate_after_ms: HIBERNATE_AFTER_MS });
});
afterAll(() => host.stop());

const type = (surface_id: string, text: string) =>
  host.bus.call('terminal.send_text', { surface_id, text, paste: false }, TO);
const read = (surface_id: string) => host.bus.call('terminal.read_text', { surface_id, scrollback: true }, TO);
const wait = (surface_id: string, pattern: string) =>
  host.bus.call('terminal.wait', { surface_id, pattern, lines: 10, timeout_ms: 20_000 }, TO);

/** As the pty-host says of itself. */
async function gauges(): Promise<Readonly<Record<string, number>>> {
  const reports = await host.bus.survey({ enough: ({ length }) => length >= 1, timeoutMs: 30_000 });
  return reports.find(({ service }) => service === 'pty-host')?.gauges ?? {};
}

async function asleep(count: number): Promise<void> {
  while ((await gauges())['screens_asleep'] !== count);
}

describe('a terminal that sleeps', () => {
  it('is read, waited on, typed into, resized and left as any other', async () => {
    const surface_id = await host.open(PROGRAM);
    await wait(surface_id, 'line 3000');
    await asleep(1);
    expect((await gauges())['screens_awake_bytes']).toBe(0);

    const before = await read(surface_id);
    expect(before.text.split('\n').slice(-3000)).toEqual(Array.from({ length: 3000 }, (_, i) => `line ${i + 1}`));
    expect(await wait(surface_id, 'line 2999')).toMatchObject({ waited: false, match: 'line 2999' });
    expect((await gauges())['screens_asleep']).toBe(1);

    const waiting = wait(surface_id, 'said hello');
    await type(surface_id, 'hello\n');
    expect(await waiting).toMatchObject({ waited: true, match: 'said hello' });
    await asleep(1);

    await host.bus.call('terminal.resize', { surface_id, cols: 30, rows: 10 }, TO);
    await asleep(1);
    const after = await read(surface_id);
    expect(after).toMatchObject({ cols: 30, rows: 10, text: `${before.text}\nsaid hello` });
    expect(after.rev).toBeGreaterThan(before.rev);

    await host.bus.call('terminal.clear_history', { surface_id }, TO);
    await asleep(1);
    expect((await read(surface_id)).text.split('\n').length).toBeLessThanOrEqual(10);
    const ended = host.bus.call('terminal.wait', { surface_id, exit: true, lines: 1, timeout_ms: 20_000 }, TO);
    await type(surface_id, '\x04');
    expect(await ended).toMatchObject({ exit: { exit_code: 0 } });
    await host.bus.call('terminal.forget', { surface_id }, TO);
    await asleep(0);
  });
});
