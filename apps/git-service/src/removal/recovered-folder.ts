import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '@switchyard/protocol';
import { isRecoveryId, type Manifest, readManifest } from '../domain/removal/manifest.js';
import { isMissing } from './walk.js';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const MANIFEST = 'manifest.json';
const ARCHIVE = 'files.tar';
/** Not complete; nobody lists it. */
const PARTIAL = '.partial';

/** Where what was saved of removed worktrees lies: a folder each, with an archive and a manifest. */
export class RecoveredFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  archiveOf(id: string): string {
    return join(this.root, id, ARCHIVE);
  }

  /** Newest first. Folders without a readable manifest are left out. @param repo canonical common folder */
  async list(repo: string): Promise<Manifest[]> {
    const found: Manifest[] = [];
    for (const id of await this.#ids()) {
      const manifest = await this.#read(id);
      if (manifest?.repo === repo) found.push(manifest);
    }
    return found.sort((a, b) => b.createdAt - a.createdAt);
  }

  /** @throws `not_found` */
  async get(id: string, repo: string): Promise<Manifest> {
    const manifest = isRecoveryId(id) ? await this.#read(id) : undefined;
    if (manifest?.repo === repo) return manifest;
    return fail('not_found', `Nothing was saved of this repository under ${id}.`, { recovery_id: id });
  }

  /** @returns path of the archive to be written; a run before that was cut off is cleared away */
  async begin(id: string): Promise<string> {
    const folder = join(this.root, id + PARTIAL);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    return join(folder, ARCHIVE);
  }

  /** Makes it complete, all at once. The archive must be on the disk. */
  async complete(manifest: Manifest): Promise<void> {
    const partial = join(this.root, manifest.id + PARTIAL);
    const file = await open(join(partial, MANIFEST), 'w', OWNER_ONLY_FILE);
    try {
      await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(partial);
    await rename(partial, join(this.root, manifest.id));
    await syncFolder(this.root);
  }

  /** Removes it, complete or not. */
  async drop(id: string): Promise<void> {
    for (const name of [id, id + PARTIAL]) await rm(join(this.root, name), { recursive: true, force: true });
  }

  async #ids(): Promise<string[]> {
    try {
      return (await readdir(this.root)).filter(isRecoveryId);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #read(id: string): Promise<Manifest | undefined> {
    try {
      return readManifest(await readFile(join(this.root, id, MANIFEST), 'utf8'));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
