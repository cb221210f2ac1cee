import type { BusEvent, Result } from '@switchyard/protocol';

type Change = BusEvent<'git.changed'>;
export type GitFacts = NonNullable<Change['git']>;

interface Known {
  readonly rev: number;
  readonly git: GitFacts | null;
}

/**
 * What the git-service says of the repositories that the surfaces are in. It is not stored: the disk has it, the
 * git-service looks, and tells all of it again whenever one of us was away.
 */
export class GitBoard {
  readonly #known = new Map<string, Known>();
  #instance = '';

  of(folder: string): GitFacts | null {
    return this.#known.get(folder)?.git ?? null;
  }

  /** Takes over what is news; answers and events may overtake each other. */
  take({ instance, folders, rev, git }: Change): void {
    this.#follow(instance);
    for (const folder of folders) {
      const known = this.#known.get(folder);
      if (known === undefined || known.rev < rev) this.#known.set(folder, { rev, git });
    }
  }

  /** Takes over the answer to `git.watch`. What it does not name is not known yet, or of no interest. */
  takeAll({ instance, folders }: Result<'git.watch'>, wanted: ReadonlySet<string>): void {
    for (const { folder, rev, git } of folders) this.take({ instance, folders: [folder], rev, git });
    for (const folder of [...this.#known.keys()]) if (!wanted.has(folder)) this.#known.delete(folder);
  }

  /** Another run of the git-service counts anew. What the last one saw stays until this one has looked. */
  #follow(instance: string): void {
    if (instance === this.#instance) return;
    this.#instance = instance;
    for (const [folder, { git }] of this.#known) this.#known.set(folder, { rev: 0, git });
  }
}
