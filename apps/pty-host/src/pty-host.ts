import type { Served } from '@switchyard/bus';
import { type App, EventWriter, type ServiceKit } from '@switchyard/service';
import type { FollowerPort } from './announcer.js';
import { systemForeground } from './foreground/index.js';
import { terminalHandlers } from './handlers/terminal.js';
import { KeeperClient, logRootOf } from './keeper/index.js';
import { KeeperLink } from './keeper-link.js';
import { LogStorage } from './log-storage.js';
import { PortWatch } from './port-watch.js';
import { systemPorts } from './ports/index.js';
import { startSampling } from './sampling.js';
import { SignalOutbox } from './signal-outbox.js';
import { recordShape } from './status-shape.js';
import { Surfaces } from './surfaces.js';

/** Of the eight seconds that a process has to end; what is not saved by then is saved at the end, or replayed. */
const SAVE_MS = 3000;
/** Beyond the graces that its signals have: the keeper's own work, on a busy machine. */
const CLOSE_MARGIN_MS = 5000;

/** Screens, modes and waits of one shard of a host's terminals. */
export function build({ env, bus, log }: ServiceKit): App {
  const { terminal, screens } = env.settings;
  const logRoot = logRootOf(env.paths, terminal.log_place);
  const client = new KeeperClient({
    socket: env.paths.keeperSocket,
    follower: env.name,
    onEvent: (event) => surfaces.apply(event),
    onDown: (reason) => {
      if (!stopping) log.warn({ reason }, 'the keeper is away');
    },
  });
  const keeper = new KeeperLink(client);
  const foreground = systemForeground();
  const sampler = startSampling({
    bus,
    log,
    foreground,
    detect: env.settings.agents.detection,
    find: (surfaceId) => surfaces.find(surfaceId),
  });
  const ports = new PortWatch({
    source: systemPorts(),
    terminals: () =>
      surfaces.all.flatMap(({ kept: { surface_id: surfaceId, pid, tty, exit } }) =>
        exit === null ? [{ surfaceId, pid, tty }] : [],
      ),
    tell: (surface_id, found) => bus.publish('terminal.ports_changed', { surface_id, ports: [...found] }),
    fault: (err) => log.debug({ err }, 'the ports of the terminals could not be looked at'),
  });
  const signals = new SignalOutbox(bus, log);
  const events = new EventWriter(bus, log);
  const storage = new LogStorage({ path: logRoot, events, now: Date.now, log });
  const port: FollowerPort = {
    changed: (surfaceId) => {
      sampler.changed(surfaceId);
      ports.sign();
    },
    output: (surface_id, offset, rev) => bus.publish('terminal.output', { surface_id, offset, rev }),
    exited: (surface_id, exit) => {
      bus.publish('terminal.exited', { surface_id, exit });
      ports.sign();
    },
    title: (surface_id, title) => bus.publish('terminal.title_changed', { surface_id, title }),
    cwd: (surface_id, cwd) => bus.publish('terminal.cwd_changed', { surface_id, cwd }),
    status: (surface_id, records) => {
      const root = records.root === undefined ? null : recordShape(records.root, records);
      bus.publish('terminal.status_changed', { surface_id, count: records.size, root });
      sampler.reported(surface_id);
    },
    reply: (surface_id, text) => {
      const data = Buffer.from(text).toString('base64');
      keeper.send('input', { surface_id, data }, (error) => log.debug({ surface_id, error }, 'answer not typed'));
    },
    ack: (surface_id, offset) => {
      keeper.send('ack', { surface_id, offset }, (error) => log.debug({ surface_id, error }, 'not acknowledged'));
    },
    gap: (surface_id, from, to) => log.warn({ surface_id, from, to }, 'output left the log before it was parsed'),
    fault: (surface_id, what, error) => log.error({ surface_id, what, err: error }, 'fault of one terminal'),
  };
  const surfaces = new Surfaces({
    shard: env.shard,
    shards: env.shards,
    logRoot,
    scrollback: terminal.scrollback_lines,
    checkpointBytes: terminal.checkpoint_bytes,
    budgetBytes: terminal.log_budget_bytes,
    hibernateAfterMs: screens.hibernate_after_ms,
    awakeBudgetBytes: screens.awake_budget_bytes,
    port,
    signals,
    storage,
    onDrop: (surfaceId) => {
      sampler.drop(surfaceId);
      foreground.forget(surfaceId);
      ports.drop(surfaceId);
    },
  });
  // It keeps what is known of agents, and may have missed something while it was away.
  const forget = bus.subscribe('service.ready', ({ service }) => {
    if (service === 'workspace-service') sampler.forgotten();
  });
  let firstList: () => void = () => {};
  const listed = new Promise<void>((resolve) => {
    firstList = resolve;
  });
  client.onConnect(async () => {
    surfaces.hold();
    const { terminals } = await client.call('follow', { shard: env.shard, shards: env.shards });
    surfaces.reconcile(terminals);
    log.info({ terminals: terminals.length }, 'following the keeper');
    firstList();
  });
  let served: Served | undefined;
  let stopping = false;
  return {
    start: async () => {
      client.start();
      await listed;
      const closeMs = terminal.hangup_grace_ms + terminal.term_grace_ms + CLOSE_MARGIN_MS;
      const handlers = terminalHandlers({ surfaces, keeper, foreground, ports, logRoot, closeMs });
      served = await bus.serve('pty-host', env.address, handlers, () => ({
        surfaces: surfaces.all.length,
        screens_asleep: surfaces.rest.asleep,
        screens_awake_bytes: surfaces.rest.awakeBytes,
        keeper_connected: client.connected ? 1 : 0,
        terminals_waiting: storage.waiting,
      }));
    },
    stop: async () => {
      // While requests are still answered, so that they wait for the start of the next run and not for this as well.
      await surfaces.save(SAVE_MS);
      forget();
      sampler.close();
      ports.close();
      await served?.stop();
      await surfaces.stop();
      signals.stop();
      await events.stop();
      stopping = true;
      client.close();
    },
  };
}
