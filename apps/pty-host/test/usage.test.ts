import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, startHost } from './support/host.js';

const there = { address: 'local-0' } as const;
let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.stop());

describe('what terminals use', () => {
  it('is told of all their processes, of what was printed and what was typed', async () => {
    const script = 'cat /dev/null; setsid sleep 100 & sleep 100 & read x; read y; echo "got $x"; read z';
    const surface_id = await host.open(['/bin/sh', '-c', script]);
    await host.bus.call('terminal.send_text', { surface_id, text: 'hello\nyou\n', paste: false }, there);
    const wait = { surface_id, pattern: 'got hello', lines: 100, timeout_ms: 15_000 };
    await host.bus.call('terminal.wait', wait, there);
    const { terminals } = await host.bus.call('terminal.usage', {}, there);
    const [usage] = terminals;
    // The shell, one sleep beside it, and one that has left its session.
    expect(usage).toMatchObject({ surface_id, input_bytes: 10, input_waiting: 0 });
    expect(usage?.processes).toHaveLength(3);
    expect(usage?.output_bytes).toBeGreaterThan(20);
    for (const process of usage?.processes ?? []) expect(process.rss_bytes).toBeGreaterThan(100_000);
    await host.bus.call('terminal.close', { surface_id, kill_survivors: true }, there);
    expect(await host.bus.call('terminal.usage', {}, there)).toEqual({ terminals: [] });
  });
});
