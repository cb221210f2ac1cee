import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Served } from '@switchyard/bus';
import { type App, EventWriter, type ServiceKit } from '@switchyard/service';
import { TrustStore } from './adapters/trust-store.js';
import { Changes, type Recover } from './changes.js';
import { meaningOfCompleted } from './domain/told-events.js';
import { worktreesFolder } from './domain/worktree-names.js';
import type { GitKit } from './git-kit.js';
import { allHandlers } from './handlers/index.js';
import { hearTerminals } from './handlers/watch.js';
import { Operations } from './operations.js';
import { recoverersOf } from './recoverers.js';
import { RepoLocks } from './repo-locks.js';
import { Reviewing } from './review/reviewing.js';
import { Watching } from './watch/watching.js';

/** Repositories and their worktrees, read and changed with the system's git. */
export function build({ bus, env, log }: ServiceKit): App {
  const events = new EventWriter(bus, log);
  const operations = new Operations(join(env.paths.stateDir, 'git-operations'), log, (record) => {
    const told = meaningOfCompleted(record);
    if (told !== null) events.tell({ key: `completed ${record.id}`, ...told });
  });
  const recoverers = new Map<string, Recover>();
  const changes = new Changes({ operations, locks: new RepoLocks(), recoverers, log });
  const watching = new Watching({
    pullRequests: env.settings.git.pull_requests,
    log,
    tell: (change) => bus.publish('git.changed', { instance: bus.instance, ...change }),
  });
  const kit: GitKit = {
    bus,
    log,
    changes,
    watching,
    trust: new TrustStore(join(env.paths.configDir, 'trusted-worktree-setups.json')),
    worktreesFolder: worktreesFolder(env.settings, homedir()),
    recoveredFolder: join(env.paths.stateDir, 'recovered'),
  };
  for (const [kind, recover] of recoverersOf(kit)) recoverers.set(kind, recover);
  let served: Served | undefined;
  let reviewing: Reviewing | undefined;
  let stopListening: (() => void) | undefined;
  let stopHearing: (() => void) | undefined;
  return {
    start: async () => {
      await operations.open();
      // Before anything is served: calls find the repositories settled.
      changes.recover();
      stopListening = bus.subscribe('service.ready', ({ service }) => {
        if (service === 'workspace-service') changes.recover();
      });
      stopHearing = hearTerminals(kit);
      reviewing = new Reviewing({ bus, log, path: join(env.paths.stateDir, 'git-service.db') });
      served = await bus.serve('git-service', env.address, allHandlers(kit, reviewing.handlers, events));
      reviewing.start();
    },
    stop: async () => {
      stopListening?.();
      stopHearing?.();
      await served?.stop();
      await reviewing?.stop();
      watching.close();
      await changes.stop();
      await events.stop();
    },
  };
}
