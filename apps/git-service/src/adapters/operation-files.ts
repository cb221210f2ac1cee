import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const SUFFIX = '.json';
const UNFINISHED_WRITE = '.new';

/**
 * One small file for each operation: written beside and renamed, and on the disk before `write` returns, so that a
 * power cut leaves the old text or the new one.
 */
export class OperationFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Texts of all files by name; makes the folder, and clears away writes that were cut off. */
  async readAll(): Promise<Map<string, string>> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const texts = new Map<string, string>();
    for (const file of await readdir(this.#folder)) {
      const path = join(this.#folder, file);
      if (file.endsWith(UNFINISHED_WRITE)) await rm(path, { force: true });
      else if (file.endsWith(SUFFIX)) texts.set(file.slice(0, -SUFFIX.length), await readFile(path, 'utf8'));
    }
    return texts;
  }

  async write(name: string, text: string): Promise<void> {
    const path = join(this.#folder, name + SUFFIX);
    const file = await open(path + UNFINISHED_WRITE, 'w', OWNER_ONLY_FILE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path + UNFINISHED_WRITE, path);
    await this.#syncFolder();
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name + SUFFIX), { force: true });
    await this.#syncFolder();
  }

  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
