import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { yardPaths } from '@switchyard/config';
import { parseSettings } from '@switchyard/config/load';
import type { MethodsOf, Params, Result } from '@switchyard/protocol';
import { type App, createLog } from '@switchyard/service';
import { type FakeBus, fakeBus } from '@switchyard/testing';
import { build } from '../src/git-service.js';
import { FakeWorkspaces } from './fake-workspaces.js';

type Method = MethodsOf<'git-service'>;

/** The git-service in this process, its state in a folder of its own, and a workspace-service that is played. */
export class GitService {
  readonly workspaces: FakeWorkspaces;
  readonly bus: FakeBus;
  readonly #app: App;

  /** @param dir where worktrees, state and configuration go: `worktrees`, `state`, `config` in it */
  static async start(dir: string, workspaces = new FakeWorkspaces()): Promise<GitService> {
    const service = new GitService(dir, workspaces);
    await service.#app.start();
    return service;
  }

  constructor(dir: string, workspaces: FakeWorkspaces) {
    const folders = { stateDir: join(dir, 'state'), configDir: join(dir, 'config') };
    for (const folder of [join(dir, 'worktrees'), ...Object.values(folders)]) mkdirSync(folder, { recursive: true });
    const settings = parseSettings(`[worktrees]\ndirectory = "${join(dir, 'worktrees')}"`, 'test');
    const paths = { ...yardPaths({ HOME: dir }, 0), ...folders };
    const place = {
      name: 'git-service',
      service: 'git-service',
      address: '_',
      host: 'local',
      shard: 0,
      shards: 1,
    } as const;
    this.workspaces = workspaces;
    this.bus = fakeBus(workspaces.answers);
    this.#app = build({ bus: this.bus, env: { ...place, paths, settings }, log: createLog('test', 'silent') });
  }

  call<M extends Method>(method: M, params: Params<M>, options: { signal?: AbortSignal } = {}): Promise<Result<M>> {
    return this.bus.call(method, params, options);
  }

  stop(): Promise<void> {
    return this.#app.stop();
  }
}
