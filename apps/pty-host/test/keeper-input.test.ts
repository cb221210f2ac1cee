import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KeeperKit, startKeeper } from './keeper-kit.js';

let kit: KeeperKit;
beforeAll(async () => {
  kit = await startKeeper();
});
afterAll(() => kit.stop());

/** Ready to read bytes as they are; says so. */
const RAW = 'stty raw -echo; echo ready;';

async function ready(surfaceId: string, script: string): Promise<void> {
  await kit.sh(surfaceId, `${RAW} ${script}`);
  await kit.printed(surfaceId, 'ready');
}

describe('input', () => {
  it('A5: a program that does not read costs next to no CPU and delays nobody else', async () => {
    await ready('A5', 'sleep 60');
    const { bytes, queued } = await kit.type('A5', 'x'.repeat(200_000));
    expect(bytes).toBe(200_000);
    expect(queued).toBeGreaterThan(100_000);
    const before = process.cpuUsage();
    const wall = performance.now();
    // The measure is the time itself: what an idle keeper burns in a second and a half.
    await delay(1500);
    const used = process.cpuUsage(before);
    const share = (used.user + used.system) / 1000 / (performance.now() - wall);
    console.info(`CPU of keeper and test beside one stalled reader: ${(share * 100).toFixed(1)} %`);
    expect(share).toBeLessThan(0.08);
    await kit.sh('A5-other', 'read line; echo got $line');
    await kit.type('A5-other', 'hello\n');
    await kit.printed('A5-other', 'got hello');
    await kit.client.call('close', { surface_id: 'A5' });
  });

  it('A5: above its bound nothing is queued, and it says so', async () => {
    await ready('full', 'sleep 60');
    await kit.type('full', 'x'.repeat(1_000_000));
    await expect(kit.type('full', 'y'.repeat(200_000))).rejects.toMatchObject({ code: 'input_overflow' });
    const { terminals } = await kit.client.call('list', {});
    const input = terminals.find((t) => t.surface_id === 'full')?.input;
    expect(input).toMatchObject({ overflows: 1 });
    expect(input?.queued).toBeLessThanOrEqual(1_000_000);
    await kit.client.call('close', { surface_id: 'full' });
  });

  it('A6: 100,000 bytes pasted are 100,000 bytes read', async () => {
    await ready('A6', 'head -c 100000 | wc -c');
    expect(await kit.type('A6', 'p'.repeat(100_000))).toMatchObject({ bytes: 100_000 });
    await kit.printed('A6', '100000');
  });

  it('A16: output flows while a megabyte of input waits', async () => {
    await ready('A16', 'i=0; while [ $i -lt 100000 ]; do echo line $i; i=$((i+1)); done; sleep 60');
    expect(await kit.type('A16', 'z'.repeat(1_000_000))).toMatchObject({ bytes: 1_000_000 });
    await kit.printed('A16', 'line 99999');
    await kit.client.call('close', { surface_id: 'A16' });
  });

  it('types a repeated input once', async () => {
    await ready('once', 'head -c 6; sleep 60');
    await kit.type('once', 'abc', 'id-1');
    expect(await kit.type('once', 'abc', 'id-1')).toMatchObject({ bytes: 3 });
    await kit.type('once', 'def', 'id-2');
    await kit.printed('once', 'abcdef');
    await kit.client.call('close', { surface_id: 'once' });
  });

  it('keeps every byte value', async () => {
    await ready('bytes', 'head -c 256 | od -An -v -tx1');
    const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    await kit.client.call('input', { surface_id: 'bytes', data: all.toString('base64') });
    await kit.exit('bytes');
    const hex = kit.output('bytes').toString().replace('ready', '').replace(/\s+/g, '');
    expect(hex).toBe(all.toString('hex'));
  });

  it('tells a program its size, and followers the offset at which it changed', async () => {
    await kit.sh('size', `trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done`, { cols: 90, rows: 20 });
    await kit.printed('size', '20 90');
    const answer = await kit.client.call('resize', { surface_id: 'size', cols: 40, rows: 10 });
    expect(answer).toMatchObject({ cols: 40, rows: 10, offset: 7 });
    await kit.printed('size', '10 40');
    expect(kit.events).toContainEqual({ ev: 'resized', surface_id: 'size', ...answer });
    await kit.client.call('close', { surface_id: 'size' });
  });

  it.each([
    { cols: 0, rows: 10 },
    { cols: 10, rows: 1001 },
    { cols: 1.5, rows: 10 },
  ])('refuses the size $cols × $rows', async (size) => {
    await expect(kit.client.call('resize', { surface_id: 'A5-other', ...size })).rejects.toMatchObject({
      code: 'invalid_params',
    });
  });
});
