import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KeeperKit, startKeeper } from './keeper-kit.js';

/** The closing note of a release has 200; every test run has enough to find what is lost once in ten. */
const RUNS = Number(process.env['SWITCHYARD_RUNS'] ?? 40);
const SIZES = [1, 4095, 4096, 20_480, 120_000, 2_000_000];
const MEDIAN_LIMIT_MS = 50;

let kit: KeeperKit;
beforeAll(async () => {
  kit = await startKeeper();
});
afterAll(() => kit.stop());

/** Prints exactly `size` bytes and ends at once. */
const printer = (size: number) => ['/bin/sh', '-c', `head -c ${size} /dev/zero | tr '\\0' x`];

describe('the end of a program', () => {
  it.each(SIZES)('A1: every one of %i bytes arrives before the exit', async (size) => {
    const delays: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const id = `A1-${size}-${run}`;
      await kit.spawn(id, printer(size));
      const exit = await kit.exit(id);
      delays.push(exitDelay(id));
      expect({ run, ...exit }).toMatchObject({ run, exit_code: 0, signal: null, offset: size, reason: 'exited' });
      expect(kit.output(id).equals(Buffer.alloc(size, 'x'))).toBe(true);
      await kit.client.call('forget', { surface_id: id });
    }
    const median = delays.sort((a, b) => a - b)[Math.floor(delays.length / 2)] ?? Number.NaN;
    console.info(`exit after the last of ${size} bytes: median ${median.toFixed(1)} ms, ${RUNS} runs`);
    expect(median).toBeLessThan(MEDIAN_LIMIT_MS);
  });

  it('A1: a single echo that ends at once is whole', async () => {
    for (let run = 0; run < RUNS; run++) {
      const id = `echo-${run}`;
      await kit.spawn(id, ['/bin/echo', '-n', 'y'.repeat(20_480)]);
      expect((await kit.exit(id)).offset).toBe(20_480);
      await kit.client.call('forget', { surface_id: id });
    }
  });

  it('A2: no output is announced after the exit, even when the program is killed while it streams', async () => {
    await kit.sh('A2', 'while :; do ls -lR /usr/lib; done');
    await kit.event('output', (e) => e.ev === 'output' && (e.at['A2'] ?? 0) > 10_000);
    const { exit } = await kit.client.call('close', { surface_id: 'A2' });
    const told = await kit.exit('A2');
    expect(exit).toEqual(told);
    await kit.client.call('list', {});
    const exitAt = kit.events.findIndex((e) => e.ev === 'exit' && e.surface_id === 'A2');
    expect(kit.events.slice(exitAt).filter((e) => e.ev === 'output' && 'A2' in e.at)).toEqual([]);
    expect(kit.output('A2').length).toBe(told.offset);
  });

  it('A3: a resize after the exit is refused as exited, with the status', async () => {
    await kit.spawn('A3', ['/bin/true']);
    await kit.exit('A3');
    await expect(kit.client.call('resize', { surface_id: 'A3', cols: 100, rows: 30 })).rejects.toMatchObject({
      code: 'terminal_exited',
      data: { exit_code: 0, signal: null },
    });
  });

  it('A4: input after the exit is refused as exited, and the keeper lives', async () => {
    await kit.spawn('A4', ['/bin/false']);
    await kit.exit('A4');
    await expect(kit.type('A4', 'x')).rejects.toMatchObject({ code: 'terminal_exited', data: { exit_code: 1 } });
    expect((await kit.client.call('list', {})).terminals.length).toBeGreaterThan(0);
  });

  it('reports the signal that ended a program', async () => {
    await kit.sh('signal', 'kill -TERM $$');
    expect(await kit.exit('signal')).toMatchObject({ exit_code: null, signal: 'SIGTERM' });
  });

  it('reports the exit at once when background processes keep printing', async () => {
    const script = `(trap '' HUP; i=0; while [ $i -lt 2000000 ]; do echo noise; i=$((i+1)); done) & sleep 0.1; echo end`;
    await kit.sh('noise', script, { env: { PATH: '/usr/bin:/bin', SWITCHYARD_SURFACE_ID: 'noise' } });
    const { offset } = await kit.exit('noise');
    expect(kit.output('noise').length).toBe(offset);
    expect(kit.output('noise').toString()).toContain('end\r\n');
    await kit.client.call('close', { surface_id: 'noise', kill_survivors: true });
  });

  it('reports the exit of a terminal that is stopped with ^S, within its bound', async () => {
    await kit.sh('stopped', 'stty -ixany; echo before; read line; exit 3');
    await kit.printed('stopped', 'before');
    await kit.type('stopped', '\x13');
    await kit.type('stopped', 'x\n');
    expect(await kit.exit('stopped')).toMatchObject({ exit_code: 3, offset: 8 });
    expect(kit.output('stopped').toString()).toBe('before\r\n');
  });

  it('lets a program that changes every output mode end without a trace of the marker', async () => {
    await kit.sh('modes', 'stty olcuc tostop -onlcr opost; echo abc');
    const { offset } = await kit.exit('modes');
    expect(kit.output('modes').toString()).toBe('ABC\n');
    expect(offset).toBe(4);
  });

  it('goes on with the same log when the program is started again', async () => {
    await kit.sh('again', 'printf one');
    const first = await kit.exit('again');
    expect(first.offset).toBe(3);
    kit.events.length = 0;
    expect(await kit.sh('again', 'printf two; exit 7', { cols: 100 })).toMatchObject({ offset: 3, existed: false });
    expect(await kit.exit('again')).toMatchObject({ exit_code: 7, offset: 6 });
    expect(kit.output('again').toString()).toBe('onetwo');
    const { terminals } = await kit.client.call('list', {});
    expect(terminals.find((t) => t.surface_id === 'again')).toMatchObject({ started_offset: 3, cols: 100, offset: 6 });
  });
});

/** Milliseconds from the last output of a surface to its exit, as a follower sees them. */
function exitDelay(surfaceId: string): number {
  const output = kit.events.findLast((e) => e.ev === 'output' && surfaceId in e.at);
  const exit = kit.events.findLast((e) => e.ev === 'exit' && e.surface_id === surfaceId);
  if (output === undefined || exit === undefined) throw new Error(`${surfaceId} had no output or no exit`);
  kit.events.length = 0;
  return kit.arrivedAt(exit) - kit.arrivedAt(output);
}
