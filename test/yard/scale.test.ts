import { setTimeout as delay } from 'node:timers/promises';
import { processFacts, type Yard } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { sizeFrom, useYard } from './use-yard.js';

const SURFACES = sizeFrom('SWITCHYARD_TEST_SURFACES', 60);
const IDLE_MS = 30_000;
/** Node shrinks each heap once some time after the last work. A busy loop is in every window, that is in one. */
const WINDOWS = 3;
/** What opening leaves to do (checkpoints, and the heaps that Node then shrinks) is done after this. */
const SETTLE_MS = 10_000;
const MOST_CPU_OF_ONE_CORE = 0.01;
/** One opening takes some ten milliseconds; the median of a few tells the trend from the noise. */
const GROUP = 9;
const WAITS_PER_CONNECTION = 50;

describe(`a yard with ${SURFACES} surfaces`, () => {
  const yard = useYard({ settings: { layout: { pane_cap: 1024 } } });
  const surfaces: string[] = [];

  it('opens the last surface in at most twice the time of the tenth', async () => {
    const client = await yard().client();
    const { workspace_id } = await client.call('workspace.create', { title: 'many' });
    const took: number[] = [];
    for (let i = 0; i < SURFACES; i++) {
      const start = performance.now();
      const { surface_id } = await client.call('surface.create', { workspace_id });
      took.push(performance.now() - start);
      surfaces.push(surface_id);
    }
    const tenth = median(took.slice(5, 5 + GROUP));
    const last = median(took.slice(-GROUP));
    console.log(`opening a surface: the tenth ${tenth.toFixed(1)} ms, number ${SURFACES} ${last.toFixed(1)} ms`);
    expect(last).toBeLessThan(Math.max(2 * tenth, 1));
  });

  it(
    'uses under 1 % of a core while nothing happens, with a wait pending on every surface',
    async () => {
      const waits: Promise<string>[] = [];
      for (let i = 0; i < surfaces.length; i += WAITS_PER_CONNECTION) {
        const client = await yard().connect();
        for (const surface_id of surfaces.slice(i, i + WAITS_PER_CONNECTION)) {
          const wait = client.call('surface.wait', { surface_id, pattern: 'never printed', timeout_ms: 600_000 });
          waits.push(wait.then(() => 'answered', (error: { code?: string }) => error.code ?? 'failed')); // biome-ignore format: one thought
        }
      }
      await delay(SETTLE_MS);
      const processes = await pidsOf(yard());
      // What opening left to do may come late on a busy machine, but it comes to an end; a yard that polls does not.
      let share = 1;
      for (let n = 0; n < WINDOWS && share >= MOST_CPU_OF_ONE_CORE; n++) share = await idleShare(processes);
      expect(share).toBeLessThan(MOST_CPU_OF_ONE_CORE);
      const early = await Promise.race([Promise.race(waits), delay(0, 'none')]);
      expect(early, 'all waits are still pending').toBe('none');
    },
    WINDOWS * IDLE_MS + 60_000,
  );
});

/** Share of a core that all processes together used while nothing was asked of them. */
async function idleShare(processes: ReadonlyMap<string, number>): Promise<number> {
  const before = cpuOf(processes);
  await delay(IDLE_MS);
  const used = [...cpuOf(processes)].map(([name, ms]) => ({ name, ms: ms - (before.get(name) ?? 0) }));
  const share = used.reduce((sum, { ms }) => sum + ms, 0) / IDLE_MS;
  const who = used.filter(({ ms }) => ms > 0).map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`);
  console.log(`idle for ${IDLE_MS / 1000} s: ${(share * 100).toFixed(2)} % of a core (${who.join(', ')})`);
  return share;
}

/** Asked for before measuring, since the answer itself costs time. */
async function pidsOf(yard: Yard): Promise<Map<string, number>> {
  const { processes, supervisor } = await yard.status();
  const running = processes.flatMap(({ name, pid }) => (pid === null ? [] : [[name, pid] as const]));
  return new Map([...running, ['supervisor', supervisor.pid]]);
}

/** Milliseconds of processor time so far. */
function cpuOf(processes: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...processes].map(([name, pid]) => [name, processFacts(pid)?.cpuMs ?? 0]));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
