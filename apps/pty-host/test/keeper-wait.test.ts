import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { LogReader } from '@switchyard/store/log';
import { tempDir, waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type KeeperKit, startKeeper } from './keeper-kit.js';

const KiB = 1024;
/** Long enough for a keeper that does not wait to run away by megabytes. */
const SETTLE_MS = 300;
const LINES = 200_000;
const NUMBERS = `i=0; while [ $i -lt ${LINES} ]; do echo $i; i=$((i+1)); done`;

let kit: KeeperKit | undefined;
afterEach(() => kit?.stop());

describe('when nobody parses the log', () => {
  it('the program waits after a whole budget, and goes on when it is parsed; no line is lost', async () => {
    const budgetBytes = 256 * KiB;
    const keeper = await startKeeper({ budgetBytes });
    kit = keeper;
    await keeper.sh('slow', NUMBERS);
    const offset = async () => (await keeper.client.call('list', {})).terminals[0]?.offset ?? 0;
    await waitFor('a budget is full', async () => (await offset()) >= budgetBytes);
    const stoppedAt = await offset();
    await delay(SETTLE_MS);
    expect(await offset()).toBe(stoppedAt);
    expect(stoppedAt).toBeLessThan(budgetBytes + 64 * KiB);

    const lines = await readLines(keeper, 'slow');
    expect(lines.length).toBe(LINES);
    expect(lines.findIndex((line, i) => line !== String(i))).toBe(-1);
  });

  it('a close does not wait for a reader that never comes', async () => {
    const keeper = await startKeeper({ budgetBytes: 64 * KiB });
    kit = keeper;
    await keeper.sh('unread', 'yes');
    await waitFor(
      'it waits',
      async () => ((await keeper.client.call('list', {})).terminals[0]?.offset ?? 0) >= 64 * KiB,
    );
    const { exit } = await keeper.client.call('close', { surface_id: 'unread' });
    expect(exit?.signal).toBe('SIGHUP');
  });
});

const disk = tempDir('sy-disk');
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk.path]).status === 0;
if (!mounted) disk.remove();

describe.skipIf(!mounted)(
  `when the disk is full (${mounted ? 'tmpfs of 512 KiB' : 'skipped: mount needs root'})`,
  () => {
    afterEach(() => {
      spawnSync('umount', ['-l', disk.path]);
      disk.remove();
    });

    it('the program waits, the keeper lives, and nothing is lost when there is space again', async () => {
      const ballast = `${disk.path}/ballast`;
      writeFileSync(ballast, Buffer.alloc(300 * KiB));
      const keeper = await startKeeper({ logRoot: `${disk.path}/terminals` });
      kit = keeper;
      await keeper.sh('full', 'i=0; while [ $i -lt 50000 ]; do echo $i; i=$((i+1)); done');
      const offset = async () => (await keeper.client.call('list', {})).terminals[0]?.offset ?? 0;
      await waitFor('the disk is full', async () => {
        const before = await offset();
        await delay(SETTLE_MS);
        return before > 100 * KiB && before === (await offset());
      });
      await expect(keeper.sh('other', 'true')).resolves.toMatchObject({ existed: false });
      rmSync(ballast);
      const { offset: end } = await keeper.exit('full');
      const lines = keeper.output('full').toString().split('\r\n');
      expect(keeper.output('full').length).toBe(end);
      expect(lines.length).toBe(50_001);
      expect(lines.findIndex((line, i) => i < 50_000 && line !== String(i))).toBe(-1);
    });
  },
);

/** A follower that keeps up: reads what is new, and says that it is parsed, until the program has ended. */
async function readLines(keeper: KeeperKit, surfaceId: string): Promise<string[]> {
  const reader = new LogReader(keeper.config.logRoot, surfaceId);
  const lines: string[] = [];
  let tail = '';
  let offset = 0;
  for (;;) {
    const exit = reader.exit();
    const slice = reader.read(offset, 64 * KiB);
    expect(slice.gap).toBeUndefined();
    offset += slice.data.length;
    const parts = (tail + slice.data.toString()).split('\r\n');
    tail = parts.pop() ?? '';
    lines.push(...parts);
    await keeper.client.call('ack', { surface_id: surfaceId, offset });
    if (exit?.offset === offset) break;
  }
  reader.close();
  return lines;
}
