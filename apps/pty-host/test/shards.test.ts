import { expect, it } from 'vitest';
import { addressOf, startHost } from './support/host.js';

it('shares a keeper: each terminal is followed by one pty-host, and others refuse it', async () => {
  const host = await startHost({}, 2);
  try {
    const surfaces: string[] = [];
    for (let i = 0; i < 8; i++) surfaces.push(await host.open(['/bin/sh', '-c', `echo number-${i}; read x`]));
    const owned = (shard: number) => surfaces.filter((id) => addressOf(id, 2) === `local-${shard}`);
    expect(owned(0).length * owned(1).length).toBeGreaterThan(0);
    for (const [i, surface_id] of surfaces.entries()) {
      const wait = { surface_id, pattern: `number-${i}`, lines: 10, timeout_ms: 15_000 };
      expect(await host.bus.call('terminal.wait', wait, { address: addressOf(surface_id, 2) })).toMatchObject({
        match: `number-${i}`,
      });
    }
    for (const shard of [0, 1]) {
      const { terminals } = await host.bus.call('terminal.list', {}, { address: `local-${shard}` });
      expect(terminals.map((each) => each.surface_id).sort()).toEqual(owned(shard).sort());
    }
    const [stranger = ''] = owned(1);
    const call = host.bus.call('terminal.get', { surface_id: stranger }, { address: 'local-0' });
    await expect(call).rejects.toMatchObject({ code: 'not_found' });
  } finally {
    await host.stop();
  }
});
