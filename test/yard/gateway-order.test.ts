import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@switchyard/client';
import { waitFor } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

describe('input that one client sends without waiting for replies', () => {
  const yard = useYard();

  /** A terminal whose program writes what it is typed into a file, byte for byte. */
  const openSink = async (client: Client, name: string) => {
    const file = join(yard().dir, name);
    const command = `stty raw -echo; printf ready; exec cat > '${file}'`;
    const { surface_id } = await client.call('surface.create', { argv: ['sh', '-c', command] });
    await client.call('surface.wait', { surface_id, pattern: 'ready' });
    const received = () => readFileSync(file, 'utf8');
    return { surface_id, received };
  };
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

  it('1,000 texts are typed in the order in which they were sent', async () => {
    const client = await yard().client();
    const { surface_id, received } = await openSink(client, 'order');
    const texts = numbers(1000).map((n) => `${n},`);
    await Promise.all(texts.map((text) => client.call('surface.send_text', { surface_id, text })));
    const wanted = texts.join('');
    await waitFor('everything has been typed', () => received().length >= wanted.length, {
      seen: () => received().length,
    });
    expect(received()).toBe(wanted);
  });

  it('a text of 600 KB keeps its place among small ones', async () => {
    const client = await yard().client();
    const { surface_id, received } = await openSink(client, 'large');
    const texts = ['before,', 'x'.repeat(600_000), ',after', ',end'];
    await Promise.all(texts.map((text) => client.call('surface.send_text', { surface_id, text })));
    const wanted = texts.join('');
    await waitFor('everything has been typed', () => received().length >= wanted.length, {
      seen: () => received().length,
    });
    expect(received() === wanted).toBe(true);
  });

  it.each(['pty-host', 'workspace-service'])(
    'what is typed while %s is killed is in order, each text once, and all that was answered with ok',
    async (victim) => {
      const client = await yard().client();
      const { surface_id, received } = await openSink(client, victim);
      const outcomes: Promise<{ n: number; code: string }>[] = [];
      const send = (n: number) =>
        client.call('surface.send_text', { surface_id, text: `${n},` }).then(
          () => ({ n, code: 'ok' }),
          (error) => ({ n, code: error.code }),
        );
      for (const n of numbers(400)) outcomes.push(send(n));
      const killed = yard().kill(victim);
      for (const n of numbers(400)) outcomes.push(send(400 + n));
      await yard().untilRestarted(victim, await killed);
      for (const n of numbers(200)) outcomes.push(send(800 + n));
      const ended = await Promise.all(outcomes);
      await waitFor('the last text is typed', () => received().endsWith('999,'), { seen: () => received().slice(-50) });
      const typed = received().split(',').slice(0, -1).map(Number);
      expect(typed).toEqual([...new Set(typed)].sort((a, b) => a - b));
      expect(ended.filter(({ n, code }) => code === 'ok' && !typed.includes(n))).toEqual([]);
      expect(ended.filter(({ code }) => code !== 'ok' && code !== 'outcome_unknown')).toEqual([]);
    },
  );
});
