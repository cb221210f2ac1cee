/** A worktree that is to go, or of which something is to be kept. */
export interface Target {
  /** Canonical common folder of its repository. */
  readonly commonDir: string;
  /** Its private folder below that. */
  readonly gitDir: string;
  /** Name of the private folder. */
  readonly name: string;
  /** Its folder. */
  readonly path: string;
  /** The folder is there and belongs to the registration. */
  readonly present: boolean;
  /** Local branch without `refs/heads/`; null on a detached HEAD. */
  readonly branch: string | null;
  /** Commit id; null on a branch without a commit. */
  readonly head: string | null;
  /** The main checkout; null when the repository is bare. */
  readonly mainPath: string | null;
}
