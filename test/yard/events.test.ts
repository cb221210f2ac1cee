import { connectReconnecting, type ReconnectingClient } from '@switchyard/client';
import { processFacts, waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { CountingReader, ResumingReader } from './event-reader.js';
import { sizeFrom, useYard } from './use-yard.js';

const EVENTS = sizeFrom('SWITCHYARD_TEST_EVENTS', 10_000);
const SUBSCRIBERS = 100;
/** Half of them with `events.subscribe`, half with the peer's `subscribe`. */
const SILENT = 10;
/** Requests that wait for their answer at once. */
const IN_FLIGHT = 50;
/** Events while something is killed. */
const EVENTS_PER_KILL = sizeFrom('SWITCHYARD_TEST_EVENTS_PER_KILL', 1500);
/** A hundred clients and a yard share two cores that may have more to do. */
const PATIENCE_MS = 180_000;
/** Above what the runtime takes by itself and the buffers of a hundred clients. */
const MAX_GROWTH_MB = 96;
const VICTIMS = ['gateway', 'workspace-service', 'pty-host', 'bus'];

const rssMb = (pid: number) => (processFacts(pid)?.rssBytes ?? 0) / 1024 ** 2;

describe('a hundred subscribers', () => {
  const yard = useYard({ settings: { gateway: { max_in_flight: 1024 } } });
  const readers: CountingReader[] = [];
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  it(
    'all get every event in order while ten never read, and those learn exactly what they have lost',
    async () => {
      const client = await yard().client();
      const { workspace_id } = await client.call('workspace.current', {});
      const gateway = await yard().pidOf('gateway');
      for (let i = 0; i < SUBSCRIBERS; i++) {
        const method = i < SILENT / 2 ? 'subscribe' : 'events.subscribe';
        readers.push(await CountingReader.open(yard().paths.gatewaySocket, method));
      }
      const [silent, reading] = [readers.slice(0, SILENT), readers.slice(SILENT)];
      for (const reader of silent) reader.pause();
      const before = rssMb(gateway);
      const started = performance.now();
      let next = 1;
      const rename = async () => {
        while (next <= EVENTS) await client.call('workspace.rename', { workspace_id, title: `${next++}` });
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, rename));
      const produced = performance.now() - started;
      const isDone = () => reading.every(({ last }) => last === EVENTS);
      await waitFor('all who read have all events', isDone, { timeoutMs: PATIENCE_MS });
      const seconds = (performance.now() - started) / 1000;
      const grown = rssMb(gateway) - before;
      process.stdout.write(
        `${EVENTS} events in ${(produced / 1000).toFixed(1)} s, with ${reading.length} readers all of them after ` +
          `${seconds.toFixed(1)} s (${Math.round((EVENTS * reading.length) / seconds)} frames a second), ` +
          `gateway ${before.toFixed(0)} MB and ${grown.toFixed(0)} more\n`,
      );
      expect(reading.map(({ count, lost, inOrder }) => ({ count, lost, inOrder }))).toEqual(
        reading.map(() => ({ count: EVENTS, lost: 0, inOrder: true })),
      );
      expect(grown).toBeLessThan(MAX_GROWTH_MB);
      for (const reader of silent) reader.resume();
      const isTold = () => silent.every(({ last, count, lost }) => last === EVENTS && count + lost === EVENTS);
      const seen = () => silent.map(({ last, count, lost }) => ({ last, count, lost }));
      await waitFor('the silent ones know', isTold, { timeoutMs: PATIENCE_MS, seen });
      expect(silent.every(({ inOrder }) => inOrder)).toBe(true);
      expect(silent.slice(0, SILENT / 2).every(({ lost }) => lost > 0)).toBe(true);
      expect(silent.slice(SILENT / 2).every(({ lost }) => lost === 0)).toBe(true);
    },
    2 * PATIENCE_MS,
  );
});

describe('a reader that resumes with its cursor', () => {
  const yard = useYard({ settings: { gateway: { restart_grace_ms: 60_000 } } });
  let reader: ResumingReader | undefined;
  let client: ReconnectingClient | undefined;
  afterEach(async () => {
    client?.close();
    await reader?.stop();
  });

  it.each(VICTIMS)(
    'has each event exactly once after SIGKILL of %s',
    async (victim) => {
      client = await connectReconnecting(yard().paths.gatewaySocket);
      reader = new ResumingReader(yard());
      const { titles, gaps } = reader;
      await reader.start();
      const { workspace_id } = await client.call('workspace.current', {});
      const all = Array.from({ length: EVENTS_PER_KILL }, (_, i) => i + 1);
      const pid = await yard().pidOf(victim);
      for (const number of all) {
        if (number === Math.floor(EVENTS_PER_KILL / 3)) process.kill(pid, 'SIGKILL');
        const title = `${number}`;
        const asked = { workspace_id, title, request_id: `${victim} ${number}` };
        await client.callNamed('workspace.rename', asked, { timeoutMs: PATIENCE_MS });
      }
      await yard().untilRestarted(victim, pid);
      const isDone = () => titles.at(-1) === EVENTS_PER_KILL;
      await waitFor('the last event', isDone, { timeoutMs: PATIENCE_MS, seen: () => titles.length });
      expect(gaps).toEqual([]);
      expect(titles).toEqual(all);
    },
    2 * PATIENCE_MS,
  );
});
