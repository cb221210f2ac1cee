import { LogReader } from '@switchyard/store/log';
import { tempDir, within } from '@switchyard/testing';
import { buildKeeper, type KeeperConfig } from '../src/keeper/keeper.js';
import { KeeperClient } from '../src/keeper/keeper-client.js';
import { keeperLog } from '../src/keeper/logger.js';
import type { KeeperEvent, KeeperResult } from '../src/keeper/protocol.js';

type Exit = Extract<KeeperEvent, { ev: 'exit' }>['exit'];
type Tested = (event: KeeperEvent) => boolean;

const MiB = 1024 * 1024;
const EVENT_TIMEOUT_MS = 20_000;
export const ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' };

/** A keeper in this process on a throw-away folder, and one follower that has seen everything. */
export interface KeeperKit {
  readonly client: KeeperClient;
  /** All events so far. */
  readonly events: KeeperEvent[];
  /** `performance.now()` when the event arrived. */
  arrivedAt(event: KeeperEvent): number;
  readonly config: KeeperConfig;
  /** Starts a program in a new terminal. */
  spawn(surfaceId: string, argv: string[], given?: Spawn): Promise<KeeperResult<'spawn'>>;
  sh(surfaceId: string, script: string, given?: Spawn): Promise<KeeperResult<'spawn'>>;
  type(surfaceId: string, text: string, inputId?: string): Promise<KeeperResult<'input'>>;
  /** The first event, past or to come, that passes. */
  event(what: string, test: Tested): Promise<KeeperEvent>;
  exit(surfaceId: string): Promise<Exit>;
  /** Everything the terminal has printed so far. */
  output(surfaceId: string): Buffer;
  /** Resolves when its output contains the text. */
  printed(surfaceId: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

interface Spawn {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly cols?: number;
  readonly rows?: number;
}

/** @param given settings that the test is about; `root` keeps the folder of an earlier keeper */
export async function startKeeper(given: Partial<KeeperConfig> & { root?: string } = {}): Promise<KeeperKit> {
  const { root, ...rest } = given;
  const dir = root === undefined ? tempDir('sy-keeper') : { path: root, remove: () => undefined };
  const config: KeeperConfig = {
    socket: `${dir.path}/keeper.sock`,
    logRoot: `${dir.path}/terminals`,
    budgetBytes: 64 * MiB,
    poolBytes: 1024 * MiB,
    inputQueueBytes: MiB,
    hangupGraceMs: 300,
    termGraceMs: 500,
    ...rest,
  };
  const keeper = buildKeeper(
    config,
    keeperLog('keeper', 'error', (line) => process.stderr.write(line)),
  );
  await keeper.start();
  const events: KeeperEvent[] = [];
  const arrivals = new WeakMap<KeeperEvent, number>();
  const watching = new Set<(event: KeeperEvent) => void>();
  const client = new KeeperClient({
    socket: config.socket,
    follower: 'test',
    onEvent: (event) => {
      events.push(event);
      arrivals.set(event, performance.now());
      for (const look of [...watching]) look(event);
    },
  });
  await connected(client);
  await client.call('follow', { shard: 0, shards: 1 });

  const event = (what: string, test: Tested) => {
    const past = events.find(test);
    if (past !== undefined) return Promise.resolve(past);
    const coming = new Promise<KeeperEvent>((resolve) => {
      const look = (candidate: KeeperEvent) => {
        if (!test(candidate)) return;
        watching.delete(look);
        resolve(candidate);
      };
      watching.add(look);
    });
    return within(EVENT_TIMEOUT_MS, what, coming);
  };
  const output = (surfaceId: string) => {
    const reader = new LogReader(config.logRoot, surfaceId);
    try {
      return reader.read(0, Number.MAX_SAFE_INTEGER).data;
    } finally {
      reader.close();
    }
  };
  const spawn: KeeperKit['spawn'] = (surface_id, argv, { cwd = '/', env = ENV, cols = 80, rows = 24 } = {}) =>
    client.call('spawn', { surface_id, argv, cwd, env, cols, rows });
  return {
    client,
    events,
    arrivedAt: (seen) => arrivals.get(seen) ?? Number.NaN,
    config,
    event,
    output,
    spawn,
    sh: (surfaceId, script, options) => spawn(surfaceId, ['/bin/sh', '-c', script], options),
    type: (surface_id, text, input_id) =>
      client.call('input', { surface_id, data: Buffer.from(text).toString('base64'), ...(input_id && { input_id }) }),
    exit: async (surfaceId) => {
      const found = await event(`exit of ${surfaceId}`, (e) => e.ev === 'exit' && e.surface_id === surfaceId);
      if (found.ev !== 'exit') throw new Error('not an exit');
      return found.exit;
    },
    printed: async (surfaceId, text) => {
      const there = () => output(surfaceId).includes(text);
      if (there()) return;
      await event(`${surfaceId} prints ${text}`, (e) => e.ev === 'output' && e.at[surfaceId] !== undefined && there());
    },
    stop: async () => {
      client.close();
      await keeper.stop();
      dir.remove();
    },
  };
}

/** Resolves when the client is connected and greeted. */
export function connected(client: KeeperClient): Promise<void> {
  const up = new Promise<void>((resolve) => {
    const end = client.onConnect(() => {
      end();
      resolve();
    });
  });
  client.start();
  return within(EVENT_TIMEOUT_MS, 'the connection to the keeper', up);
}

/** Descriptors of this process that belong to terminals. */
export function ptyDescriptors(paths: readonly string[]): number {
  return paths.filter((path) => path === '/dev/ptmx' || path === '/dev/pts/ptmx' || path.startsWith('/dev/pts/'))
    .length;
}
