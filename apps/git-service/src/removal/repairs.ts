import { fail } from '@switchyard/protocol';
import { gitChange, tryGit } from '../adapters/git-cli.js';
import type { Diagnosis, Repair } from '../domain/removal/diagnosis.js';
import type { Operations } from '../operations.js';
import { targetNamed } from './find-target.js';
import { readRegistrations } from './registrations.js';
import {
  lookAt,
  REMOVE,
  type RemovalFacts,
  type RemovalParts,
  removeWithGit,
  saveAll,
  uninterrupted,
} from './remove.js';
import type { Target } from './target.js';

export interface Repaired extends Diagnosis {
  /** What was done of what was asked for. */
  readonly done: readonly Repair[];
  /** Under which id the private files of a pruned registration are kept. */
  readonly recovery_id: string | null;
}

export interface RepairOptions {
  readonly commonDir: string;
  readonly wanted: ReadonlySet<Repair>;
  readonly operations: Operations;
  readonly signal: AbortSignal;
}

/** Does of the remedies of one finding those that are wanted. What is locked is not pruned unless it is unlocked, too. */
export async function repair(parts: RemovalParts, finding: Diagnosis, options: RepairOptions): Promise<Repaired> {
  const { commonDir, wanted, operations, signal } = options;
  const done: Repair[] = [];
  let recovery_id: string | null = null;
  const { name, path, branch } = finding;
  for (const remedy of finding.repairs) {
    const isLocked = finding.states.includes('locked') && !done.includes('unlock');
    if (!wanted.has(remedy) || name === null || (remedy === 'prune' && isLocked)) continue;
    const facts: RemovalFacts = { path: path ?? '', branch, name, force: true, workspace: null };
    const identity = JSON.stringify([REMOVE, commonDir, path]);
    const operation = await operations.begin({ kind: REMOVE, repo: commonDir, identity, facts: { ...facts } });
    const change = { operation: operation.id, signal };
    try {
      if (remedy === 'unlock') await gitChange(commonDir, ['worktree', 'unlock', '--', path ?? name], change);
      if (remedy === 'relink') await gitChange(commonDir, ['worktree', 'repair', '--', finding.found_at ?? ''], change);
      if (remedy === 'prune') {
        const target = await prunable(finding, commonDir, signal);
        const looked = await lookAt(target, [], signal);
        const saved = await saveAll(parts, target, looked, { operation, force: true, reason: 'prune', signal });
        recovery_id = saved?.id ?? null;
        await operation.step('removing');
        await prune(target, commonDir, operation.id);
      }
    } finally {
      await operation.done();
    }
    done.push(remedy);
  }
  return { ...finding, done, recovery_id };
}

async function prunable({ name, branch }: Diagnosis, commonDir: string, signal: AbortSignal): Promise<Target> {
  const target = await targetNamed(commonDir, name ?? '', signal);
  if (target !== undefined) return target;
  const gitDir = (await readRegistrations(commonDir)).find((each) => each.name === name)?.gitDir;
  if (gitDir === undefined) throw new Error(`the registration ${name} has gone meanwhile`);
  return { commonDir, gitDir, name: name ?? '', path: '', present: false, branch, head: null, mainPath: null };
}

/** Only a registration that does not say where it is cannot be named to git, which then looks for all of that kind. */
async function prune(target: Target, commonDir: string, operation: string): Promise<void> {
  if (target.path !== '') return removeWithGit(target, true, operation);
  const signal = uninterrupted();
  const would = await tryGit(commonDir, ['worktree', 'prune', '--dry-run', '--verbose', '--expire=now'], { signal });
  const said = `${would.stdout}${would.stderr}`;
  const names = [...said.matchAll(/^Removing worktrees\/(.*?): /gm)].map(([, name]) => name);
  if (names.some((name) => name !== target.name)) {
    fail('invalid_state', `git would prune ${names.join(', ')} together: prune those with a path first.`, { names });
  }
  await gitChange(commonDir, ['worktree', 'prune', '--expire=now'], { operation, signal });
}
