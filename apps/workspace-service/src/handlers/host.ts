import { fail, type HandlersIn } from '@switchyard/protocol';
import { type Removed, removeSurface } from '../domain/closing.js';
import { hostNamed, LOCAL, noteHost, patchHost, stateWhenHere, surfacesOn } from '../domain/hosts.js';
import { type Services, settle } from '../services.js';
import type { Call } from '../yard-state.js';

/** A machine answers in milliseconds, over any link in less than this. */
const STATUS_MS = 5000;
/** So many surfaces are named that keep a machine from being removed. */
const NAMED = 50;

type HostHandlers = HandlersIn<'host', 'workspace-service', Call>;

export function hostHandlers(services: Services): HostHandlers {
  return { ...queries(services), ...membership(services), ...presence(services) };
}

function queries({ hosts, directory, bus }: Services): Pick<HostHandlers, 'host.list' | 'host.get' | 'host.status'> {
  return {
    'host.list': () => ({ hosts: directory.list() }),
    'host.get': ({ host }) => directory.info(host),
    'host.status': async ({ host }, call) => {
      directory.info(host);
      hosts.check(host);
      const started = performance.now();
      const timeoutMs = Math.max(1, Math.min(STATUS_MS, Math.ceil(call.deadline - performance.now())));
      await Promise.all(
        hosts
          .addressesOf(host)
          .map((address) => bus.call('terminal.list', {}, { address, timeoutMs, signal: call.signal })),
      );
      return { ...directory.info(host), answers_ms: performance.now() - started };
    },
  };
}

type Membership = 'host.add' | 'host.renew' | 'host.label' | 'host.drain' | 'host.remove';

function membership(services: Services): Pick<HostHandlers, Membership> {
  const { state, hosts, directory, bus } = services;
  /** @throws `invalid_state` for the yard's own machine, `not_found` */
  const joined = (host: string) =>
    host === LOCAL
      ? fail('invalid_state', "The yard's own machine is always part of it", { host })
      : hostNamed(state.model, host);
  return {
    'host.add': async ({ host, labels = [], pty_hosts = 1, detectors = false }, call) => {
      if (state.model.hosts.has(host)) fail('already_exists', `There is a host ${host}`, { host });
      const asked = { name: host, pty_hosts, detectors };
      const { credentials } = await bus.call('fleet.admit', asked, { signal: call.signal });
      state.change((model) => {
        const now = model.now();
        const record = {
          id: host,
          state: 'connecting' as const,
          since: now,
          draining: false,
          labels,
          ptyHosts: pty_hosts,
          detectors,
          identity: null,
          lastContactAt: null,
          refused: null,
        };
        model.hosts.put(record);
        noteHost(model, record, record.state);
      });
      return { ...directory.info(host), credentials };
    },
    'host.renew': async ({ host }, call) => {
      const { ptyHosts, detectors } = joined(host);
      const asked = { name: host, pty_hosts: ptyHosts, detectors };
      const { credentials } = await bus.call('fleet.admit', asked, { signal: call.signal });
      hosts.renew(host);
      return { ...directory.info(host), credentials };
    },
    'host.label': ({ host, labels }) => {
      joined(host);
      state.change((model) => patchHost(model, host, { labels }));
      return directory.info(host);
    },
    'host.drain': ({ host, off = false }) => {
      const record = joined(host);
      state.change((model) => {
        const draining = !off;
        const isHere = record.state === 'online' || record.state === 'draining';
        const next = isHere ? stateWhenHere({ ...record, draining }, true) : record.state;
        patchHost(model, host, { draining, state: next });
      });
      return directory.info(host);
    },
    'host.remove': async ({ host, force = false }, call) => {
      joined(host);
      const surface_ids = surfacesOn(state.model, host);
      if (surface_ids.length > 0 && !force) {
        const named = surface_ids.slice(0, NAMED);
        fail('host_in_use', `${surface_ids.length} surfaces are on ${host}`, { host, surface_ids: named });
      }
      state.change((model) => patchHost(model, host, { state: 'retired', draining: true }));
      await closeAll(services, surface_ids, call);
      if (hosts.presence(host) !== undefined && surfacesOn(state.model, host).length > 0) return { removed: false };
      await bus.call('fleet.expel', { name: host }, { signal: call.signal });
      hosts.drop(host);
      return { removed: true };
    },
  };
}

/** Takes surfaces out of the tree, with what is empty without them, and ends their programs where they can be reached. */
async function closeAll(services: Services, ids: readonly string[], call: Call): Promise<void> {
  const { state, endings, openings, hosts } = services;
  for (const id of ids) {
    const { removed, fresh } = state.change((model) => {
      const staged = model.closed.get(id);
      if (staged !== undefined) model.closed.put({ ...staged, phase: 'ending' });
      const surface = model.surfaces.get(id);
      const gone = surface === undefined ? NOTHING : removeSurface(model, surface);
      endings.remember(model, gone, 'ending');
      return { removed: gone, fresh: openings.ensureYard(model) };
    });
    endings.follow(removed);
    if (fresh !== undefined) openings.startInBackground(fresh);
  }
  await settle(services, call);
  const ending = ids.flatMap((id) => state.model.closed.get(id) ?? []).filter(({ phase }) => phase === 'ending');
  const reachable = ending.filter(({ surface }) => hosts.presence(surface.host) !== undefined);
  // One that cannot be ended now stays `ending`: the host is retired until it has.
  await Promise.allSettled(reachable.map((record) => endings.end(record)));
}

const NOTHING: Removed = { departed: [], workspaceIds: [], windowIds: [] };

function presence({ hosts }: Services): Pick<HostHandlers, 'host.present' | 'host.leave'> {
  /** The broker vouches for it. */
  const nameOf = ({ caller }: Call) =>
    caller.host ?? fail('invalid_state', 'Only another machine says that it is there');
  return {
    'host.present': (said, call) => hosts.present(nameOf(call), said),
    'host.leave': ({ instance }, call) => {
      hosts.leave(nameOf(call), instance);
      return {};
    },
  };
}
