import { type ByteText, shown } from './byte-text.js';
import type { StashEntry } from './private-objects.js';

/** Why a worktree cannot simply go. */
export type ItemKind =
  | 'agent'
  | 'conflicted'
  | 'hidden_change'
  | 'ignored'
  | 'missing_folder'
  | 'modified'
  | 'nested_repository'
  | 'nested_worktree'
  | 'operation'
  | 'past_commits'
  | 'rebuildable'
  | 'staged'
  | 'stash'
  | 'submodule'
  | 'unpushed'
  | 'unreferenced_commits'
  | 'untracked';

/**
 * `no`: only said. `without_force`: removal refuses, and with force saves it first. `always`: removal refuses.
 */
export type Blocks = 'no' | 'without_force' | 'always';
/** Where a removal with force leaves it. `stays`: where it is. `nowhere`: it is lost, or there is nothing to lose. */
export type SavedIn = 'recovery_ref' | 'archive' | 'stays' | 'nowhere';

export interface Item {
  readonly kind: ItemKind;
  readonly blocks: Blocks;
  readonly saved_in: SavedIn;
  /** How many there are, also beyond those named. */
  readonly count: number;
  /** Size on disk, where that means something. */
  readonly bytes: number | null;
  /** One sentence for a person. */
  readonly text: string;
  /** The first of them by name. */
  readonly entries: readonly string[];
}

export interface FileFact {
  readonly path: ByteText;
  readonly bytes: number;
}

/** What a survey of a worktree found. */
export interface Survey {
  /** The folder is there. */
  readonly present: boolean;
  readonly modified: readonly FileFact[];
  readonly staged: readonly FileFact[];
  readonly conflicted: readonly FileFact[];
  readonly hiddenChanges: readonly FileFact[];
  readonly untracked: readonly FileFact[];
  /** Ignored files that count as work. */
  readonly ignored: readonly FileFact[];
  /** How many of the ignored files that would count are the same, byte for byte, in the main checkout. */
  readonly ignoredCopies: readonly FileFact[];
  readonly rebuildable: Rebuildable;
  readonly nestedRepositories: readonly FileFact[];
  readonly nestedWorktrees: readonly string[];
  readonly submodules: readonly string[];
  /** Commits that only the present of this worktree holds, tips only: a detached HEAD, a rebase. */
  readonly unreferenced: readonly string[];
  readonly unreferencedCount: number;
  /** Commits that only its past holds, tips only: reflog, ORIG_HEAD, FETCH_HEAD. */
  readonly past: readonly string[];
  readonly pastCount: number;
  /** Trees and blobs that its private files name. */
  readonly looseObjects: readonly LooseObject[];
  readonly operations: readonly string[];
  readonly stash: readonly StashEntry[];
  /** Commits of its branch that no remote has; null: there is no remote to push to. */
  readonly unpushed: number | null;
}

export interface LooseObject {
  readonly id: string;
  readonly type: 'tree' | 'blob';
}

/** Ignored files that a tool makes again, counted up to a limit. */
export interface Rebuildable {
  /** Folders and files as the survey met them. */
  readonly places: readonly ByteText[];
  readonly files: number;
  readonly bytes: number;
  /** There are more: nobody counted on. */
  readonly more: boolean;
}

export interface AgentFact {
  readonly surface_ref: string;
  readonly agent: string | null;
  readonly state: string | null;
}

/** So many names make a list that a person still reads; the count says how many there are. */
export const MOST_ENTRIES = 500;
/** What a tool makes again is archived only while it is small: it would outweigh everything else. */
export const REBUILDABLE_LIMIT = { files: 5_000, bytes: 64 * 1024 * 1024 } as const;

export const isArchivable = ({ files, bytes, more }: Rebuildable): boolean =>
  !more && files <= REBUILDABLE_LIMIT.files && bytes <= REBUILDABLE_LIMIT.bytes;

/** Everything that speaks against a removal, or that should be known before it; the gravest first. */
export function inventoryOf(survey: Survey, agents: readonly AgentFact[]): Item[] {
  return [
    ...nestedWorktrees(survey),
    ...agentItems(agents),
    ...missingFolder(survey),
    ...operations(survey),
    ...commits(survey),
    ...files('conflicted', survey.conflicted, 'with a conflict'),
    ...files('staged', survey.staged, 'staged and not committed'),
    ...files('modified', survey.modified, 'changed, deleted or of another kind than in the index'),
    ...files('hidden_change', survey.hiddenChanges, 'changed though git is told not to look at them'),
    ...files('untracked', survey.untracked, 'not tracked'),
    ...files('ignored', survey.ignored, 'ignored, but nothing says that a tool makes them again'),
    ...files('nested_repository', survey.nestedRepositories, 'in repositories inside the worktree'),
    ...submodules(survey),
    ...stash(survey),
    ...notes(survey),
  ];
}

export const blocksWithoutForce = (items: readonly Item[]): boolean => items.some(({ blocks }) => blocks !== 'no');
export const blocksAlways = (items: readonly Item[]): boolean => items.some(({ blocks }) => blocks === 'always');

function item(kind: ItemKind, blocks: Blocks, saved_in: SavedIn, all: readonly string[], text: string): Item {
  return { kind, blocks, saved_in, count: all.length, bytes: null, text, entries: all.slice(0, MOST_ENTRIES) };
}

function files(kind: ItemKind, found: readonly FileFact[], what: string): Item[] {
  if (found.length === 0) return [];
  const text = `${many(found.length, 'file')} ${what}.`;
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  const names = found.slice(0, MOST_ENTRIES).map(({ path }) => shown(path));
  return [{ ...item(kind, 'without_force', 'archive', names, text), count: found.length, bytes }];
}

function nestedWorktrees({ nestedWorktrees: paths }: Survey): Item[] {
  if (paths.length === 0) return [];
  return [item('nested_worktree', 'always', 'nowhere', paths, 'Other worktrees lie inside it: remove those first.')];
}

function agentItems(agents: readonly AgentFact[]): Item[] {
  const named = ({ surface_ref, agent, state }: AgentFact) =>
    `${surface_ref} ${agent ?? 'agent'} ${state ?? 'in an unknown state'}`;
  const busy = agents.filter(({ state }) => state !== 'idle').map(named);
  const idle = agents.filter(({ state }) => state === 'idle').map(named);
  return [
    ...(busy.length === 0
      ? []
      : [item('agent', 'without_force', 'nowhere', busy, `${many(busy.length, 'agent')} at work in it.`)]),
    ...(idle.length === 0
      ? []
      : [
          item(
            'agent',
            'no',
            'nowhere',
            idle,
            `${many(idle.length, 'idle agent')} in it; each ends with its terminal.`,
          ),
        ]),
  ];
}

function missingFolder({ present }: Survey): Item[] {
  if (present) return [];
  const text = 'Its folder is not there; if it lies on a disk that is away, what it holds cannot be looked at.';
  return [item('missing_folder', 'without_force', 'nowhere', [], text)].map((one) => ({ ...one, count: 1 }));
}

function operations({ operations: names }: Survey): Item[] {
  if (names.length === 0) return [];
  return [item('operation', 'without_force', 'archive', names, `In progress: ${names.join(', ')}.`)];
}

function commits(survey: Survey): Item[] {
  const { unreferenced, unreferencedCount: count } = survey;
  if (count === 0) return [];
  const text = `${many(count, 'commit')} that no branch, tag or other reference holds.`;
  return [{ ...item('unreferenced_commits', 'without_force', 'recovery_ref', unreferenced, text), count }];
}

function submodules({ submodules: all }: Survey): Item[] {
  if (all.length === 0) return [];
  const text = `${many(all.length, 'submodule')}: git itself removes such a worktree only with force.`;
  return [item('submodule', 'without_force', 'archive', all, text)];
}

function stash({ stash: entries }: Survey): Item[] {
  if (entries.length === 0) return [];
  const text = `${many(entries.length, 'stash entry', 'stash entries')} made here; the stash of the repository keeps them.`;
  const names = entries.map(({ name, message }) => `${name} ${message}`);
  return [item('stash', 'without_force', 'recovery_ref', names, text)];
}

/** What does not speak against it. */
function notes(survey: Survey): Item[] {
  const { past, pastCount, unpushed, rebuildable, ignoredCopies } = survey;
  const found: Item[] = [];
  if (pastCount > 0) {
    const text = `${many(pastCount, 'commit')} in its reflog only; a recovery reference will hold them.`;
    found.push({ ...item('past_commits', 'no', 'recovery_ref', past, text), count: pastCount });
  }
  if (unpushed !== null && unpushed > 0) {
    const text = `${many(unpushed, 'commit')} that no remote has; the branch stays and holds them.`;
    found.push({ ...item('unpushed', 'no', 'stays', [], text), count: unpushed });
  }
  if (rebuildable.files > 0) found.push(rebuildableItem(rebuildable));
  if (ignoredCopies.length > 0) {
    const text = `${many(ignoredCopies.length, 'ignored file')} that the main checkout has, too, byte for byte.`;
    const [copies] = files('ignored', ignoredCopies, '');
    if (copies !== undefined) found.push({ ...copies, blocks: 'no', text });
  }
  return found;
}

function rebuildableItem(rebuildable: Rebuildable): Item {
  const { places, files: count, bytes, more } = rebuildable;
  const saved = isArchivable(rebuildable);
  const amount = `${more ? 'Over ' : ''}${many(count, 'ignored file')}`;
  const text = `${amount} that tools make again${saved ? '' : '; too much to be archived'}.`;
  const names = places.slice(0, MOST_ENTRIES).map(shown);
  return { ...item('rebuildable', 'no', saved ? 'archive' : 'nowhere', names, text), count, bytes };
}

const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;
