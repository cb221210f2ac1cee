import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '@switchyard/protocol';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** What the file holds: for each repository the fingerprint of the setup that was allowed. */
type Trusted = Record<string, string>;

/**
 * The setup files that the user has allowed, in the configuration folder: it is the user's decision, not a state of
 * ours. Read at each use, as the user may edit it.
 */
export class TrustStore {
  readonly #path: string;
  /** Writes one after the other: each begins with what the one before has left. */
  #writing: Promise<void> = Promise.resolve();

  /** @param path of the file; made with the first permission */
  constructor(path: string) {
    this.#path = path;
  }

  /** @returns fingerprint of what was allowed of a repository; undefined when nothing was */
  async of(repo: string): Promise<string | undefined> {
    const trusted = await this.#read();
    return Object.hasOwn(trusted, repo) ? trusted[repo] : undefined;
  }

  /** @param fingerprint of what is allowed from now on; undefined: nothing */
  set(repo: string, fingerprint: string | undefined): Promise<void> {
    const write = this.#writing.then(async () => {
      const { [repo]: _, ...others } = await this.#read();
      await this.#write(fingerprint === undefined ? others : { ...others, [repo]: fingerprint });
    });
    // The next write does not care how this one ended; its caller does.
    this.#writing = write.catch(() => undefined);
    return write;
  }

  async #read(): Promise<Trusted> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
      throw error;
    }
    return parse(this.#path, text);
  }

  async #write(trusted: Trusted): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    const file = await open(`${this.#path}.new`, 'w', OWNER_ONLY_FILE);
    try {
      await file.writeFile(`${JSON.stringify(trusted, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${this.#path}.new`, this.#path);
  }
}

/** A file that cannot be read allows nothing, and is not overwritten. */
function parse(path: string, text: string): Trusted {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string')) {
      return value as Trusted;
    }
  } catch {
    // Not JSON: said below, as for any other content.
  }
  return fail('invalid_state', `${path} must hold an object of repositories and fingerprints.`, { file: path });
}
