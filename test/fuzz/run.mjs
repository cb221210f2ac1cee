// Throws random and mutated lines at a gateway and says whether it held.
//   node test/fuzz/run.mjs --frames 1000000
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectClient } from '@switchyard/client';
import { processFacts, startYard } from '@switchyard/testing';
import { randomOf } from './random.mjs';
import { Session } from './session.mjs';

/**
 * Before memory is measured code must be compiled and heaps have their working size, which a process at full load only
 * has after a hundred thousand frames: the most that it has after any of these rounds.
 */
const WARM_UP = { frames: 40_000, rounds: 3 };
/** Memory is given back when the collector next runs in earnest. */
const SETTLE_MS = 60_000;
const ALLOWED_GROWTH = 1.2;
const MiB = 1024 * 1024;

const { values: given } = parseArgs({
  options: {
    frames: { type: 'string', default: '1000000' },
    connections: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    socket: { type: 'string' },
    pid: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (given.help) {
  console.log(`node test/fuzz/run.mjs [--frames N] [--connections N] [--seed N] [--socket PATH --pid PID]
Without --socket it starts a yard of its own. Ends with 1 when the gateway crashed, hung, broke its promise of one
reply for each request, or kept more than ${Math.round((ALLOWED_GROWTH - 1) * 100)} % more memory.`);
} else {
  process.exitCode = (await main()) ? 0 : 1;
}

async function main() {
  const yard = given.socket ? undefined : await startYard();
  try {
    const target = yard
      ? { path: yard.paths.gatewaySocket, pid: await yard.pidOf('gateway') }
      : { path: given.socket, pid: Number(given.pid) };
    return await fuzz(target);
  } finally {
    await yard?.stop();
  }
}

async function fuzz({ path, pid }) {
  const frames = Number(given.frames);
  const { before, faults } = await warmUp(path, pid);
  const started = Date.now();
  if (faults.length === 0) faults.push(...(await round(path, frames, Number(given.seed))));
  const seconds = (Date.now() - started) / 1000;
  const peak = rss(pid);
  if (faults.length === 0) faults.push(...(await answers(path)));
  const after = await settled(pid, before * ALLOWED_GROWTH);
  if (after === 0) faults.push(`the gateway (${pid}) is gone`);
  else if (after > before * ALLOWED_GROWTH) faults.push(`memory grew from ${mib(before)} to ${mib(after)} MiB`);
  report({ frames, seconds, before, peak, after, faults });
  return faults.length === 0;
}

/** @returns the working size of the gateway in bytes, and what went wrong */
async function warmUp(path, pid) {
  let before = 0;
  for (let n = 1; n <= WARM_UP.rounds; n++) {
    const faults = await round(path, WARM_UP.frames, Number(given.seed) + n);
    before = Math.max(before, rss(pid));
    if (faults.length > 0) return { before, faults };
  }
  return { before, faults: [] };
}

/** @returns what went wrong */
async function round(path, frames, seed) {
  let left = frames;
  const takeOne = () => left-- > 0;
  const sessions = Array.from({ length: Number(given.connections) }, (_, n) => {
    return new Session({ path, random: randomOf(seed * 1000 + n), name: `connection ${n}` });
  });
  const ends = await Promise.allSettled(sessions.map((session) => session.run(takeOne)));
  return [
    ...sessions.flatMap((session) => session.faults),
    ...ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason?.stack ?? end.reason)] : [])),
  ];
}

/** The gateway still does what it is for. */
async function answers(path) {
  try {
    const client = await connectClient(path);
    await client.call('system.ping', {}, { timeoutMs: 5000 });
    client.close();
    return [];
  } catch (error) {
    return [`after the frames: ${error.message}`];
  }
}

/** Waits until memory is at most `goal`, or as long as is reasonable. @returns bytes; 0 when the process is gone */
async function settled(pid, goal) {
  const end = Date.now() + SETTLE_MS;
  while (rss(pid) > goal && Date.now() < end) await delay(500);
  return rss(pid);
}

function rss(pid) {
  return processFacts(pid)?.rssBytes ?? 0;
}

function report({ frames, seconds, before, peak, after, faults }) {
  console.log(`${frames} frames over ${given.connections} connections, seed ${given.seed}`);
  console.log(
    `${seconds.toFixed(1)} s, ${Math.round(frames / seconds)} frames/s, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`,
  );
  console.log(
    `gateway memory: ${mib(before)} MiB before, ${mib(peak)} at the end, ${mib(after)} after (${(after / before).toFixed(2)} ×)`,
  );
  for (const fault of faults.slice(0, 5)) console.log(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'HELD' : `FAILED: ${faults.length} faults`);
}

function mib(bytes) {
  return Math.round(bytes / MiB);
}
