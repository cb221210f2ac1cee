import type { Bus } from '@switchyard/bus';
import type { Integrations } from '@switchyard/integrations';
import type { Log } from '@switchyard/service';
import type { Agents } from './agents.js';
import type { Announcer } from './announcer.js';
import type { AppFocus } from './app-focus.js';
import type { Config } from './config.js';
import type { Model } from './domain/model.js';
import type { Endings } from './endings.js';
import type { Flashes } from './flashes.js';
import type { HostDirectory } from './host-directory.js';
import type { Hosts } from './hosts.js';
import type { InputLocks } from './input-locks.js';
import type { Journal } from './journal.js';
import type { LayoutFiles } from './layout-files.js';
import type { Openings } from './openings.js';
import type { PromptBook } from './prompt-book.js';
import type { Prompts } from './prompts.js';
import type { Restores } from './restores.js';
import type { Revivals } from './revivals.js';
import type { SnapshotFiles } from './snapshot-files.js';
import type { Snapshots } from './snapshots.js';
import type { Terminals } from './terminals.js';
import type { TypedCommands } from './typed-commands.js';
import type { Waits } from './waits.js';
import type { Call, YardState } from './yard-state.js';

/** What the handlers work with. */
export interface Services {
  readonly bus: Bus;
  readonly log: Log;
  readonly model: Model;
  readonly state: YardState;
  readonly journal: Journal;
  readonly terminals: Terminals;
  readonly hosts: Hosts;
  readonly directory: HostDirectory;
  readonly openings: Openings;
  readonly endings: Endings;
  readonly waits: Waits;
  readonly announcer: Announcer;
  readonly flashes: Flashes;
  readonly appFocus: AppFocus;
  readonly agents: Agents;
  readonly locks: InputLocks;
  readonly book: PromptBook;
  readonly prompts: Prompts;
  readonly integrations: Integrations;
  readonly layouts: LayoutFiles;
  readonly commands: TypedCommands;
  readonly snapshots: Snapshots;
  readonly snapshotFiles: SnapshotFiles;
  readonly restores: Restores;
  readonly revivals: Revivals;
  /** Read at every use: app.reload_config can change the rules in it. */
  readonly config: () => Config;
  /** Reads the settings file again. Rejects with `invalid_state` when it is wrong; then nothing has changed. */
  readonly reloadConfig: () => Promise<void>;
}

/** Changes the model, tells everyone, and answers when the terminals have their new sizes. */
export async function perform<R>(services: Services, call: Call, fn: (model: Model) => R): Promise<R> {
  const { reply } = services.state.answer(call, (model) => ({ reply: fn(model) }));
  await settle(services, call);
  return reply;
}

/** What follows every change. */
export async function settle({ announcer, terminals, state }: Services, call: Call): Promise<void> {
  announcer.focus(call);
  await terminals.fit(state.takeTouched());
}
