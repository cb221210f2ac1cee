import { hasNatsServer, type NatsServer, startNatsServer, startYard, type Yard } from '@switchyard/testing';
import { afterAll, describe, expect, it } from 'vitest';

describe.skipIf(!hasNatsServer())('a yard on a broker that somebody else runs (needs nats-server)', () => {
  let server: NatsServer | undefined;
  let yard: Yard | undefined;

  afterAll(async () => {
    await yard?.stop();
    await server?.stop();
  });

  it('starts none of its own, and shows the URL without its credentials', async () => {
    server = await startNatsServer();
    const { host } = new URL(server.url);
    yard = await startYard({ settings: { bus: { broker: `nats://${server.token}@${host}` } } });
    const status = JSON.parse((await yard.cli('status', '--json')).stdout);
    expect(status.processes.map(({ name }: { name: string }) => name)).not.toContain('bus');
    expect(status.yard.bus).toContain(host);
    expect(status.yard.bus).not.toContain(server.token);
    expect((await yard.cli('run', 'echo', 'works')).stdout).toBe('works\r\n');
  });
});
