import { isAlive, waitFor } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

describe('switchyard down', () => {
  const yard = useYard();

  it('ends the programs of terminals, and names those that have left their terminal', async () => {
    const client = await yard().client();
    const argv = ['sh', '-c', 'setsid sleep 600 & echo "away $! here $$;"; exec sleep 600'];
    const { surface_id } = await client.call('surface.create', { argv });
    const { match = '' } = await client.call('surface.wait', { surface_id, pattern: 'away \\d+ here \\d+;' });
    const [away = 0, here = 0] = match.match(/\d+/g)?.map(Number) ?? [];
    const down = await yard().cli('down');
    expect(down.stdout).toContain(`still running: ${away} sleep 600`);
    expect(down.code).toBe(1);
    expect(isAlive(here)).toBe(false);
    expect(isAlive(away)).toBe(true);
    process.kill(away);
    await waitFor('it has ended', () => !isAlive(away));
  });
});
