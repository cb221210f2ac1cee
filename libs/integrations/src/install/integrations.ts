import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLauncher, LAUNCHER_PATH, launcherText, type Programs } from '../domain/launcher.js';
import { ownFile } from '../domain/own-file.js';
import {
  type FileChange,
  type FileStatus,
  type FileView,
  type IntegrationState,
  overall,
  type Plan,
  planInstall,
  planUninstall,
  statusOf,
} from '../domain/plan.js';
import type { FileSpec, Target } from '../domain/target.js';
import { TARGETS } from '../targets/index.js';
import { isFolder, readText, removeEmptyFolders, removeFile, writeText } from './files.js';
import { digest, type InstallRecord, type RecordedFile, Records } from './records.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface IntegrationOptions {
  /** Variables that move the folders of agents, and XDG_DATA_HOME. */
  readonly env: Env;
  readonly home: string;
  readonly programs: Programs;
}

export interface IntegrationStatus {
  readonly target: Target;
  readonly dir: string;
  /** The agent has a configuration folder here. */
  readonly agentFound: boolean;
  readonly state: IntegrationState;
  readonly files: readonly FileStatus[];
}

export type Action = 'install' | 'uninstall';

const RECORDS = 'integrations';

/** A configuration file changed while we looked at it. */
export class ChangedMeanwhile extends Error {
  constructor(path: string) {
    super(`${path} was changed meanwhile; nothing was written`);
    this.name = 'ChangedMeanwhile';
  }
}

/** Puts Switchyard into coding agents and takes it out again. One action at a time. */
export class Integrations {
  readonly #options: IntegrationOptions;
  /** Of Switchyard itself: the launcher and the records. */
  readonly #data: string;
  readonly #launcher: string;
  readonly #records: Records;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: IntegrationOptions) {
    this.#options = options;
    this.#data = join(options.env['XDG_DATA_HOME'] || join(options.home, '.local', 'share'), 'switchyard');
    this.#launcher = join(this.#data, LAUNCHER_PATH);
    this.#records = new Records(join(this.#data, RECORDS));
  }

  /** The folder of an agent's configuration. @param given absolute, in place of the usual one */
  folderOf({ folder }: Target, given?: string): string {
    const { env, home } = this.#options;
    if (given !== undefined) return given;
    const moved = folder.env.map((name) => env[name]).find((path) => path !== undefined && isAbsolute(path));
    const xdg = env['XDG_CONFIG_HOME'];
    if (moved !== undefined) return moved;
    return folder.xdg !== undefined && xdg ? join(xdg, folder.xdg) : join(home, folder.home);
  }

  async status(target: Target, given?: string): Promise<IntegrationStatus> {
    const dir = this.folderOf(target, given);
    const files = (await this.#views(target, dir, null)).map(statusOf);
    const agentFound = await isFolder(dir);
    const state = overall(files);
    const launcher = state === 'current' ? statusOf(await this.#view(this.#launcherSpec(), null)) : undefined;
    return { target, dir, agentFound, files, state: launcher && launcher.state !== 'current' ? 'outdated' : state };
  }

  /** What an action would change. @throws BrokenConfig */
  plan(target: Target, action: Action, given?: string): Promise<readonly FileChange[]> {
    return this.#alone(async () => (await this.#plan(target, action, this.folderOf(target, given))).plan.changes);
  }

  /**
   * Does it, or nothing at all.
   *
   * @returns what was changed
   * @throws BrokenConfig, ChangedMeanwhile
   */
  perform(target: Target, action: Action, given?: string): Promise<readonly FileChange[]> {
    return this.#alone(async () => {
      const dir = this.folderOf(target, given);
      const { plan, record } = await this.#plan(target, action, dir);
      const folders = await this.#write(plan.changes);
      if (action === 'install') await this.#remember(target, dir, plan, [...(record?.folders ?? []), ...folders]);
      else await this.#forget(target, dir, record);
      return plan.changes;
    });
  }

  async #plan(target: Target, action: Action, dir: string): Promise<{ plan: Plan; record: InstallRecord | null }> {
    const record = await this.#records.get(target.agent, dir);
    const views = await this.#views(target, dir, record);
    const launcher = await this.#view(this.#launcherSpec(), null);
    if (action === 'install') return { plan: planInstall([launcher, ...views]), record };
    const shared = await this.#isShared(target, dir);
    return { plan: planUninstall(shared ? views : [...views, launcher]), record };
  }

  /** Whether another installation starts the launcher. */
  async #isShared(target: Target, dir: string): Promise<boolean> {
    if (await this.#records.hasOther(target.agent, dir)) return true;
    for (const other of TARGETS) {
      if (other.agent === target.agent) continue;
      const files = (await this.#views(other, this.folderOf(other), null)).map(statusOf);
      if (files.some(({ state }) => state === 'current' || state === 'outdated')) return true;
    }
    return false;
  }

  #launcherSpec(): FileSpec {
    return {
      path: this.#launcher,
      reason: 'the program that hooks start; shared by all integrations',
      executable: true,
      editor: ownFile(launcherText(this.#options.programs), isLauncher),
    };
  }

  async #views(target: Target, dir: string, record: InstallRecord | null): Promise<FileView[]> {
    const probed = new Map<string, string | null>();
    const specs = () =>
      target.files({ dir, launcher: this.#launcher, asset, read: (path) => probed.get(path) ?? note(probed, path) });
    // A target may want to see a file before it decides; what it asked for is read, and it decides again.
    specs();
    for (const path of probed.keys()) probed.set(path, await readText(path));
    return Promise.all(specs().map((spec) => this.#view(spec, record)));
  }

  async #view(spec: FileSpec, record: InstallRecord | null): Promise<FileView> {
    const text = await readText(spec.path);
    const known = record?.files[spec.path];
    const untouched = known !== undefined && text !== null && digest(text) === known.written;
    return { spec, text, original: known?.original, untouched };
  }

  /** All changes or none. @returns folders that were made */
  async #write(changes: readonly FileChange[]): Promise<string[]> {
    for (const { path, before } of changes) if ((await readText(path)) !== before) throw new ChangedMeanwhile(path);
    const done: FileChange[] = [];
    const folders: string[] = [];
    try {
      for (const change of changes) {
        done.push(change);
        folders.push(...(await write(change.path, change.after, change.executable)));
      }
      return folders;
    } catch (error) {
      for (const { path, before, executable } of done.reverse()) await write(path, before, executable);
      await removeEmptyFolders(folders);
      throw error;
    }
  }

  /** What is Switchyard's own is shared, so no installation has a record of it. */
  async #remember({ agent, version }: Target, dir: string, plan: Plan, folders: readonly string[]): Promise<void> {
    const isAgents = (path: string) => !`${path}/`.startsWith(`${this.#data}/`);
    const files: Record<string, RecordedFile> = {};
    for (const [path, original] of plan.originals) {
      if (isAgents(path)) files[path] = { original, written: digest((await readText(path)) ?? '') };
    }
    await this.#records.put({ agent, dir, version, files, folders: [...new Set(folders)].filter(isAgents) });
  }

  async #forget({ agent }: Target, dir: string, record: InstallRecord | null): Promise<void> {
    await this.#records.remove(agent, dir);
    const own = [this.#data, join(this.#data, RECORDS), dirname(this.#launcher)];
    await removeEmptyFolders([...(record?.folders ?? []), ...own]);
  }

  async #alone<T>(fn: () => Promise<T>): Promise<T> {
    const run = this.#last.then(fn, fn);
    this.#last = run.catch(() => undefined);
    return run;
  }
}

async function write(path: string, text: string | null, executable: boolean): Promise<string[]> {
  if (text !== null) return writeText(path, text, executable);
  await removeFile(path);
  return [];
}

function note(probed: Map<string, string | null>, path: string): null {
  probed.set(path, null);
  return null;
}

const asset = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../assets/${name}`, import.meta.url)), 'utf8');
