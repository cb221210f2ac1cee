import type { Result } from '@switchyard/protocol';
import { directoryOf } from './creating.js';
import type { Id, SurfaceRecord } from './entities.js';
import type { Model } from './model.js';
import { telemetryOf } from './telemetry.js';

type Fields = Pick<Result<'workspace.current'>['workspace'], 'git' | 'git_branch' | 'pull_request'>;

/** Folder → the surfaces in it, of one machine. */
export function foldersOf(model: Model, host: string): Map<string, Id[]> {
  const folders = new Map<string, Id[]>();
  for (const surface of model.surfaces.values()) {
    if (surface.host !== host) continue;
    const folder = directoryOf(model, surface);
    folders.set(folder, [...(folders.get(folder) ?? []), surface.id]);
  }
  return folders;
}

/** Part of a change that is not accepted yet: whether it made, removed or moved what {@link foldersOf} tells. */
export function hasMoved(model: Model): boolean {
  const placeOf = (surface: SurfaceRecord | undefined) =>
    surface === undefined ? null : `${surface.host} ${surface.cwd ?? surface.launch.cwd}`;
  return model.surfaces.images().some(({ before, after }) => placeOf(before) !== placeOf(after));
}

/** What rows of workspaces say: of the directory of the focused surface, unless its program says otherwise itself. */
export function gitFieldsOf(model: Model, surface: SurfaceRecord): Fields {
  const git = model.git.of(directoryOf(model, surface));
  const { branch, pullRequest } = telemetryOf(surface);
  return {
    git,
    git_branch: branch ?? branchOf(git),
    pull_request: pullRequest === null ? (git?.pull_request ?? null) : { ...pullRequest, title: '', draft: false },
  };
}

const branchOf = (git: Fields['git']): Fields['git_branch'] =>
  git === null || git.branch === null ? null : { branch: git.branch, dirty: git.dirty ?? false };
