import type { Log } from '@switchyard/service';
import type { Id } from './domain/entities.js';
import type { Model } from './domain/model.js';
import { recover } from './domain/snapshot-restore.js';
import type { Restores } from './restores.js';
import type { SnapshotFiles } from './snapshot-files.js';
import type { Snapshots } from './snapshots.js';
import type { YardState } from './yard-state.js';

export interface StartParts {
  readonly state: YardState;
  readonly snapshots: Snapshots;
  readonly snapshotFiles: SnapshotFiles;
  readonly restores: Restores;
  readonly log: Log;
}

/**
 * What comes before everything else at a start: the tree as the database has it is kept as a generation, or, if the
 * database was lost, the newest generation takes its place.
 *
 * @returns shells that a restore which was cut off could not start: they are to be tried again. Never rejects: a yard whose
 *   disk is full must start all the same
 */
export async function restoreAtStart(parts: StartParts, databaseLost: boolean): Promise<readonly Id[]> {
  try {
    await parts.restores.load();
    const isRecovered = databaseLost && (await recoverNewest(parts));
    const again = isRecovered ? [] : await beginWithModel(parts);
    const { model } = parts.state;
    await parts.snapshotFiles.removeReplays((id) => model.surfaces.get(id)?.replay != null);
    return again;
  } catch (error) {
    parts.log.error({ err: error }, 'the snapshots could not be looked after; the yard starts with what it has');
    return [];
  }
}

async function recoverNewest({ state, snapshots, restores, log }: StartParts): Promise<boolean> {
  const latest = await snapshots.latest();
  if (latest === undefined) return false;
  state.change((model) => recover(model, latest.topology));
  log.warn({ snapshot: latest.id, saved_at: latest.savedAt }, 'the database was lost: the tree is that of a snapshot');
  await restores.begin('recovery', latest.id, latest.id, idsOf(state.model));
  return true;
}

async function beginWithModel({ state, snapshots, restores }: StartParts): Promise<readonly Id[]> {
  const { model } = state;
  if (model.surfaces.size === 0) return [];
  const wasCutOff = restores.last?.confirmedAt === null;
  const before = await snapshots.atStart(model.yard.stoppedAt !== null);
  await restores.begin('start', null, before, idsOf(model));
  if (!wasCutOff) return [];
  return [...model.surfaces.values()]
    .filter(({ type, launch, exit, remainOnExit }) => {
      return type === 'terminal' && launch.argv === null && exit !== null && !remainOnExit;
    })
    .map(({ id }) => id);
}

const idsOf = (model: Model): Id[] => [...model.surfaces.values()].map(({ id }) => id);
