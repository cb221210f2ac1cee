import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build as buildBroker } from '@switchyard/broker';
import { type Bus, connectBus } from '@switchyard/bus';
import { SERVICE_ENV, type ServiceEnv, type Settings, shardOf, yardPaths } from '@switchyard/config';
import { parseSettings } from '@switchyard/config/load';
import { tempDir } from '@switchyard/testing';

const TOKEN = 'for-tests-only';
const SPACE = 'test';
const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const main = (name: string) => fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));

/** A broker, a keeper and a pty-host, each of the last two in its own process, and a bus to call them over. */
export interface Host {
  readonly bus: Bus;
  readonly env: ServiceEnv;
  readonly ptyHost: () => ChildProcess;
  /** Starts the pty-host again, e.g. after a kill. */
  startPtyHost(shard?: number): Promise<void>;
  startKeeper(): Promise<void>;
  readonly keeper: () => ChildProcess;
  /** Opens a terminal; the id is new each time. */
  open(argv: string[], size?: { cols: number; rows: number }): Promise<string>;
  stop(): Promise<void>;
}

/** @param shards how many pty-hosts share the keeper */
export async function startHost(
  terminal: Partial<Settings['terminal']> = {},
  shards = 1,
  screens: Partial<Settings['screens']> = {},
): Promise<Host> {
  const dir = tempDir('sy-pty');
  const folders = { SWITCHYARD_RUNTIME_DIR: `${dir.path}/run`, SWITCHYARD_STATE_DIR: `${dir.path}/state` };
  const paths = yardPaths({ HOME: dir.path, ...folders }, process.getuid?.() ?? 0);
  for (const folder of [paths.runtimeDir, paths.stateDir]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const broker = buildBroker({ host: '127.0.0.1', port: 0, token: TOKEN }, { log: quiet });
  await broker.start();
  const url = `nats://127.0.0.1:${broker.port}`;
  writeFileSync(paths.busFile, JSON.stringify({ url, token: TOKEN, space: SPACE }), { mode: 0o600 });
  const defaults = parseSettings('', 'config.toml');
  const settings = {
    ...defaults,
    terminal: { ...defaults.terminal, ...terminal },
    screens: { ...defaults.screens, ...screens },
  };
  const env = { host: 'local', shard: 0, shards, paths, settings };
  const bus = await connectBus({ url, token: TOKEN, space: SPACE, service: 'client', log: quiet });

  let keeper: ChildProcess;
  const ptyHosts: ChildProcess[] = [];
  const startKeeper = async () => {
    keeper = start('keeper/main', { ...env, name: 'keeper', service: 'keeper', address: '_' });
  };
  const startPtyHost = async (shard = 0) => {
    const address = `local-${shard}`;
    const ready = new Promise<void>((resolve) => {
      const forget = bus.subscribe('service.ready', (mark) => {
        if (mark.service !== 'pty-host' || mark.address !== address) return;
        forget();
        resolve();
      });
    });
    const child = start('main', { ...env, name: 'pty-host', service: 'pty-host', address, shard });
    ptyHosts[shard] = child;
    await Promise.race([ready, once(child, 'exit').then(() => Promise.reject(new Error('the pty-host ended')))]);
  };
  await startKeeper();
  for (let shard = 0; shard < shards; shard++) await startPtyHost(shard);

  let count = 0;
  return {
    bus,
    env: { ...env, name: 'pty-host', service: 'pty-host', address: 'local-0' },
    keeper: () => keeper,
    ptyHost: () => ptyHosts[0] ?? keeper,
    startKeeper,
    startPtyHost,
    open: async (argv, size = { cols: 80, rows: 24 }) => {
      const surface_id = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
      const program = { surface_id, argv, cwd: dir.path, env: { PATH: '/usr/bin:/bin', TERM: 'xterm-256color' } };
      await bus.call('terminal.open', { ...program, ...size }, { address: addressOf(surface_id, shards) });
      return surface_id;
    },
    stop: async () => {
      await bus.close();
      await Promise.all(ptyHosts.map(end));
      await end(keeper);
      await broker.stop();
      dir.remove();
    },
  };
}

function start(name: string, env: ServiceEnv): ChildProcess {
  const stderr = process.env['SHOW_LOGS'] === undefined ? 'ignore' : 'inherit';
  return spawn(process.execPath, [main(name)], {
    env: { ...process.env, [SERVICE_ENV]: JSON.stringify(env) },
    stdio: ['ignore', 'ignore', stderr],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** The pty-host that follows a surface. */
export const addressOf = (surfaceId: string, shards: number) => `local-${shardOf(surfaceId, shards)}`;

/** All bytes of a terminal from an offset until it has ended. */
export async function readAll(bus: Bus, surface_id: string, from = 0): Promise<{ data: Buffer; end: number }> {
  const parts: Buffer[] = [];
  let offset = from;
  for (;;) {
    const slice = await bus.call(
      'terminal.read_output',
      { surface_id, offset, wait_ms: 20_000 },
      { address: 'local-0', timeoutMs: 60_000 },
    );
    if (slice.gap !== undefined || slice.offset !== offset) throw new Error(`gap at ${offset}`);
    parts.push(Buffer.from(slice.data, 'base64'));
    offset = slice.next_offset;
    if (slice.eof) return { data: Buffer.concat(parts), end: offset };
  }
}
