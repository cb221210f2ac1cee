import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '@switchyard/bus';
import { fail, type Result } from '@switchyard/protocol';
import { copyUntracked } from '../adapters/copy-untracked.js';
import { type Repository, worktreesOf } from '../adapters/repository.js';
import { parseSetup, SETUP_FILE, type SetupPlan, setupProgram } from '../domain/setup-file.js';
import type { GitKit } from '../git-kit.js';

export type SetupReport = Result<'worktree.setup'>['setup'];
type State = Result<'worktree.trust'>['state'];

/** How the setup file of a repository stands. */
export interface SetupFacts {
  readonly state: State;
  /** The main checkout; of a bare repository, whose worktrees have no common one, the worktree itself. */
  readonly source: string;
  readonly file: string;
  /** null when there is no file or it cannot be understood. */
  readonly plan: SetupPlan | null;
  readonly fingerprint: string | null;
  readonly detail: string | null;
}

/** Larger than any list of steps, small enough to be read whole. */
const LARGEST_FILE_CHARS = 64 * 1024;
const NOTHING_DONE = { detail: null, copied: 0, skipped: [], surface_id: null, surface_ref: null };

export const setupSkipped: SetupReport = { state: 'skipped', ...NOTHING_DONE };

/**
 * Reads the setup file of a repository and whether it was allowed. It is read from the main checkout: what a branch
 * brings along is not what the user has looked at. And what was allowed is its content, not its place.
 */
export async function setupOf(
  { trust }: Pick<GitKit, 'trust'>,
  repository: Repository,
  worktree: string,
  signal: AbortSignal,
): Promise<SetupFacts> {
  const main = (await worktreesOf(repository, signal)).find(({ isMain }) => isMain)?.path;
  const source = main ?? worktree;
  const file = join(source, SETUP_FILE);
  const text = await textOf(file);
  const found = { source, file, plan: null, fingerprint: null, detail: null };
  if (text === null) return { ...found, state: 'none' };
  if (text.length > LARGEST_FILE_CHARS) {
    return { ...found, state: 'invalid', detail: `it has over ${LARGEST_FILE_CHARS} characters` };
  }
  const parsed = parseSetup(text);
  if ('problem' in parsed) return { ...found, state: 'invalid', detail: parsed.problem };
  const fingerprint = createHash('sha256').update(text).digest('hex');
  const allowed = await trust.of(repository.commonDir);
  const state = allowed === undefined ? 'untrusted' : allowed === fingerprint ? 'trusted' : 'changed';
  return { ...found, state, plan: parsed.plan, fingerprint };
}

export interface SetupTarget {
  readonly repository: Repository;
  readonly path: string;
  readonly workspaceId: string;
  /** Makes a repeat safe: the terminal is opened once for each. */
  readonly requestId: string;
}

/** Does what the setup file says, if it was allowed; says what was done, or why nothing was. */
export async function setUp(kit: GitKit, target: SetupTarget, options: CallOptions): Promise<SetupReport> {
  const signal = options.signal ?? new AbortController().signal;
  const facts = await setupOf(kit, target.repository, target.path, signal);
  const { state, plan, detail } = facts;
  if (state !== 'trusted' || plan === null) return { ...NOTHING_DONE, state: reported(state), detail };
  const { copied, skipped } = await copyUntracked(facts.source, target.path, plan.copy, signal);
  const done = { ...NOTHING_DONE, state: 'done' as const, copied, skipped: [...skipped] };
  if (plan.run.length === 0) return done;
  const { surface_id, surface_ref } = await kit.bus.call(
    'surface.create',
    {
      workspace_id: target.workspaceId,
      argv: setupProgram(plan.run),
      cwd: target.path,
      env: { SWITCHYARD_WORKTREE: target.path, SWITCHYARD_MAIN_CHECKOUT: facts.source },
      remain_on_exit: true,
    },
    { ...options, requestId: target.requestId },
  );
  return { ...done, surface_id, surface_ref };
}

/** @throws `setup_not_trusted`, `invalid_state` when nothing was done because of the file */
export function mustBeDone(report: SetupReport, file: string): SetupReport {
  if (report.state === 'untrusted' || report.state === 'changed') {
    const what = report.state === 'changed' ? 'has changed since it was trusted' : 'has not been trusted';
    return fail('setup_not_trusted', `${file} ${what}; look at it, then \`sy worktree trust\`.`, {
      file,
      state: report.state,
    });
  }
  if (report.state === 'invalid') return fail('invalid_state', `${file}: ${report.detail}`, { file });
  return report;
}

/** A file that is trusted is always done; the states of a report have no word for what comes before. */
function reported(state: State): SetupReport['state'] {
  return state === 'trusted' ? 'skipped' : state;
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return fail('invalid_state', `${file} cannot be read.`, { file });
  }
}
