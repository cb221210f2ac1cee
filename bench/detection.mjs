import { connectBus } from '@switchyard/bus';
import { readBusFile } from '@switchyard/service';
import { processFacts, startYard } from '@switchyard/testing';
import { timed } from './support/stats.mjs';

const WORKERS = [1, 2];
/** Enough that no worker waits for its next screen, few enough that none waits longer than its deadline. */
const IN_FLIGHT_EACH = 32;
const COLS = 160;
const ROWS = 50;
const RULE = '─'.repeat(COLS);

/**
 * Screens that are judged in a second, through the bus, by two detector workers and by one: by the clock, where asker and
 * bus take their share of the cores, and by the busiest worker's own processor time, as if each had a core to itself.
 */
export async function detection({ quick }) {
  const count = quick ? 1000 : 10_000;
  const rates = [];
  for (const workers of WORKERS) rates.push(await judgedPerSecond(workers, count));
  const [one, two] = rates;
  const row = (what, by) => ({
    what,
    unit: '/s',
    ours: two[by],
    other: one[by],
    than: 'one detector',
    better: 'higher',
  });
  return [
    row('screens judged, two detectors', 'clock'),
    row('screens judged, two detectors, by their own time', 'own'),
  ];
}

async function judgedPerSecond(detectors, count) {
  const yard = await startYard({ settings: { services: { detectors } } });
  const bus = await busOf(yard);
  const inFlight = IN_FLIGHT_EACH * detectors;
  try {
    // Each worker reads the manifests, and its compiler gets warm.
    await judge(bus, Math.ceil(count / 5) * detectors, inFlight);
    const workers = (await yard.processes()).filter(({ name }) => name.startsWith('detector'));
    const cpu = () => workers.map(({ pid }) => processFacts(pid).cpuMs);
    const before = cpu();
    const { ms } = await timed(() => judge(bus, count, inFlight));
    const busiest = Math.max(...cpu().map((after, i) => after - before[i]));
    return { clock: count / (ms / 1000), own: count / (busiest / 1000) };
  } finally {
    await bus.close();
    await yard.stop();
  }
}

async function busOf({ paths }) {
  const ignore = () => undefined;
  const log = { debug: ignore, info: ignore, warn: console.error, error: console.error };
  return connectBus({ ...(await readBusFile(paths.busFile)), service: 'client', log });
}

async function judge(bus, count, inFlight) {
  let next = 0;
  const asker = async () => {
    while (next < count) {
      const { state } = await bus.call('agent.evaluate', screen(next++));
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
