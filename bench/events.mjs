import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from './support/stats.mjs';

/**
 * Events from the change to the reader. How long after the answer of `workspace.rename` a subscriber has it, one at a
 * time; how many frames a second a hundred subscribers get together; and what the subscribers cost those who make the
 * changes. Beside them the same requests without a subscriber: the least that a change costs.
 */
export async function events({ yard, client, quick }) {
  const { workspace_id } = await client.call('workspace.current', {});
  const rename = (title) => client.call('workspace.rename', { workspace_id, title });
  const path = yard.paths.gatewaySocket;
  // A process that has just started compiles what it does for the first time.
  await burst(rename, 1000, 'warm');
  const alone = await burst(rename, quick ? 1000 : 5000, 'alone');
  const late = await latency(path, rename, quick ? 200 : 1000);
  const { rate, frames } = await fanOut(path, rename, quick ? 1000 : 10_000, 100);
  return [
    row('event after its answer, p50', 'ms', quantile(late, 0.5), null, '', 'lower'),
    row('event after its answer, p99', 'ms', quantile(late, 0.99), null, '', 'lower'),
    row('changes a second, 100 subscribers', '/s', rate, alone, 'without a subscriber', 'higher'),
    row('frames a second to 100 subscribers', '/s', frames, null, '', 'higher'),
  ];
}

const row = (what, unit, ours, other, than, better) => ({ what, unit, ours, other, than, better });

/** More than the longest title here. */
const TITLE_CHARS = 64;
/** Requests in flight at once: as many as a busy yard has, few against the bound of a connection. */
const IN_FLIGHT = 50;

async function burst(rename, count, word) {
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) await rename(`${word} ${next++}`);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return count / ((performance.now() - started) / 1000);
}

/** Milliseconds from the answer of a change until a subscriber on another connection has its event; below 0: before. */
async function latency(path, rename, count) {
  const reader = await subscribe(path);
  const all = [];
  for (let i = 0; i < count; i++) {
    const title = `latency ${i}`;
    const seen = reader.untilSeen(title);
    await rename(title);
    const answered = performance.now();
    all.push((await seen) - answered);
    // One at a time: the next begins when all is quiet.
    await delay(1);
  }
  reader.close();
  return all;
}

async function fanOut(path, rename, count, subscribers) {
  const readers = await Promise.all(Array.from({ length: subscribers }, () => subscribe(path)));
  const last = readers.map((reader) => reader.untilCount(count));
  const started = performance.now();
  const rate = await burst(rename, count, 'fan out');
  await Promise.all(last);
  const seconds = (performance.now() - started) / 1000;
  for (const reader of readers) reader.close();
  return { rate, frames: (count * subscribers) / seconds };
}

/** A subscriber that looks at its bytes as little as it can: it shares the machine with what is measured. */
function subscribe(path) {
  const socket = connect(path);
  let rest = '';
  let count = 0;
  let onText = () => {};
  const reader = {
    close: () => socket.destroy(),
    untilSeen: (title) =>
      new Promise((resolve) => {
        onText = (part, before) => `${before}${part}`.includes(title) && resolve(performance.now());
      }),
    untilCount: (wanted) =>
      new Promise((resolve) => {
        onText = (part) => {
          for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) count++;
          if (count >= wanted) resolve();
        };
      }),
  };
  socket.write('{"id":1,"method":"events.subscribe","params":{"kinds":["workspace.renamed"]}}\n');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.setEncoding('utf8').once('data', () => {
      socket.on('data', (part) => {
        // A title may be cut in two by a read.
        onText(part, rest.slice(-TITLE_CHARS));
        rest = part;
      });
      resolve(reader);
    });
  });
}
