import { setTimeout as delay } from 'node:timers/promises';
import { Judging } from '@switchyard/agents';
import { connectBus } from '@switchyard/bus';
import { readBusFile } from '@switchyard/service';
import { processFacts, startYard } from '@switchyard/testing';
import { median, timed } from './support/stats.mjs';

const WORKERS = [1, 2];
/** Enough that no worker waits for its next screen, few enough that none waits longer than its deadline. */
const IN_FLIGHT_EACH = 64;
const COLS = 160;
const ROWS = 50;
const RULE = '─'.repeat(COLS);

/** As many as wait at the workers at most in a burst: some megabytes, which broker and sockets hold. */
const BURST = 1600;
/** As a pty-host asks when many screens wait. */
const TOGETHER = 4;
const BURST_ROUNDS = 5;
/** The answers of a burst come after it was let go; nobody may give up before. */
const BURST_DEADLINE_MS = 60_000;
/** Broker and asker have done their part when they have used no more processor time than this for so long. */
const SETTLED_CPU_MS = 2;
const SETTLED_FOR_MS = 300;

/**
 * Screens that are judged in a second, through the bus, by two detector workers and by one. In a steady stream asker and
 * bus take their share of the cores; in a burst their work is done before the workers begin, so that the cores are free
 * for these.
 */
export async function detection({ quick }) {
  const count = quick ? 1000 : 10_000;
  const rates = [];
  for (const workers of WORKERS) rates.push(await judgedPerSecond(workers, count, quick ? 1 : BURST_ROUNDS));
  const [one, two] = rates;
  const row = (what, by) => ({
    what,
    unit: '/s',
    ours: two[by],
    other: one[by],
    than: 'one detector',
    better: 'higher',
  });
  return [row('screens judged, two detectors', 'steady'), row('a burst of screens judged, two detectors', 'burst')];
}

async function judgedPerSecond(detectors, count, rounds) {
  const yard = await startYard({ settings: { services: { detectors } } });
  const bus = await busOf(yard);
  const inFlight = IN_FLIGHT_EACH * detectors;
  try {
    // Each worker reads the manifests, and its compiler gets warm.
    await judge(bus, count * detectors, inFlight);
    const { ms } = await timed(() => judge(bus, count, inFlight));
    const bursts = [];
    for (let i = 0; i < rounds; i++) bursts.push(BURST / ((await burst(yard, bus)) / 1000));
    return { steady: count / (ms / 1000), burst: median(bursts) };
  } finally {
    await bus.close();
    await yard.stop();
  }
}

/** @returns milliseconds from the moment the workers may begin until the last answer */
async function burst(yard, bus) {
  const processes = await yard.processes();
  const workers = processes.filter(({ name }) => name.startsWith('detector')).map(({ pid }) => pid);
  const broker = processes.find(({ name }) => name === 'bus').pid;
  for (const pid of workers) process.kill(pid, 'SIGSTOP');
  try {
    const answers = Promise.all(
      Array.from({ length: BURST / TOGETHER }, (_, n) => {
        const samples = Array.from({ length: TOGETHER }, (_, i) => screen(n * TOGETHER + i));
        return bus.call('agent.evaluate', { samples }, { timeoutMs: BURST_DEADLINE_MS });
      }),
    );
    await settled(() => processFacts(broker).cpuMs + processFacts(process.pid).cpuMs);
    const { ms } = await timed(async () => {
      for (const pid of workers) process.kill(pid, 'SIGCONT');
      await answers;
    });
    return ms;
  } finally {
    for (const pid of workers) process.kill(pid, 'SIGCONT');
  }
}

/** Resolves when a count of processor time stands still. */
async function settled(cpuMs) {
  for (let before = Number.NEGATIVE_INFINITY, now = cpuMs(); now - before > SETTLED_CPU_MS; now = cpuMs()) {
    before = now;
    await delay(SETTLED_FOR_MS);
  }
}

async function busOf({ paths }) {
  const ignore = () => undefined;
  const log = { debug: ignore, info: ignore, warn: console.error, error: console.error };
  return connectBus({ ...(await readBusFile(paths.busFile)), service: 'client', log });
}

async function judge(bus, count, inFlight) {
  let next = 0;
  const judging = new Judging(async (samples) => (await bus.call('agent.evaluate', { samples })).verdicts);
  const asker = async () => {
    while (next < count) {
      const { state } = await judging.judge(screen(next++));
      if (state === null) throw new Error('the state on the screen was not told: what is measured is not the work');
    }
  };
  await Promise.all(Array.from({ length: inFlight }, asker));
}

/** An agent in a large terminal at work, or with a question; no two screens are the same. */
function screen(n) {
  const output = Array.from(
    { length: ROWS - 12 },
    (_, i) => `     ${n}: line ${i} of the output of a test run ${'.'.repeat(80)}`,
  );
  const end = n % 2 === 0 ? working(n) : asking(n);
  const lines = ['⏺ Bash(npm test)', '  ⎿  Running…', ...output, '', ...end];
  return {
    surface_id: `bench-${n % IN_FLIGHT_EACH}`,
    rev: n,
    offset: n,
    at: n,
    cols: COLS,
    rows: ROWS,
    lines,
    cursor: { row: lines.length - 1, col: 0, visible: false },
    alternate: false,
    title: '',
    progress: null,
    foreground: { pid: 1, pgid: 1, start_time: 1, names: ['claude'], argv: ['claude'], hint: null },
  };
}

const working = (n) => [`✻ Thinking… (${n}s · esc to interrupt)`, '', RULE, '❯ ', RULE, '  ? for shortcuts'];
const asking = (n) => [
  RULE,
  'Bash command',
  `  rm -r build-${n}`,
  'Do you want to proceed?',
  '❯ 1. Yes',
  '  2. No',
  '  Esc to cancel',
];
