/** @param {number[]} values @param {number} q 0…1 */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

export const median = (values) => quantile(values, 0.5);

/** Milliseconds that `work` took, and what it gave. */
export async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { ms: performance.now() - start, value };
}

/** Runs `work` over and over, one after the other. @returns milliseconds of each run but the first few, which warm up */
export async function samples(count, work, warmUp = Math.min(20, Math.ceil(count / 10))) {
  const all = [];
  for (let i = 0; i < count + warmUp; i++) all.push((await timed(() => work(i))).ms);
  return all.slice(warmUp);
}

/** Milliseconds of the monotonic clock, which is the same one in all processes of a machine. */
export const sharedClock = () => Number(process.hrtime.bigint()) / 1e6;
