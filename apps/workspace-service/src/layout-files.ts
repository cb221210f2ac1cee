import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '@switchyard/protocol';
import type { Config } from './config.js';
import { LayoutProblem, readLayout, type SavedLayout } from './domain/saved-layout.js';
import { writeWhole } from './durable-file.js';

const ENDING = '.json';
/** Under the home folder (programa-api §8.2). */
const PEERS_FOLDER = '.config/programa/layouts';
/** The largest layout that is allowed is far below; a mistaken file must not fill our memory. */
const LARGEST_FILE_BYTES = 1024 * 1024;
/** File systems take 255 bytes; the ending and that of a draft come on top. */
const LONGEST_NAME_BYTES = 200;

export interface LayoutFolder {
  readonly path: string;
  /** Who else reads it, and so which fields are written. */
  readonly schema: 'native' | 'programa';
}

export interface LayoutFile {
  readonly name: string;
  readonly path: string;
  readonly saved: SavedLayout;
}

export interface UnreadableFile {
  readonly name: string;
  readonly path: string;
  readonly reason: string;
}

/** Where a layout is, or would be. */
export interface LayoutPlace {
  readonly name: string;
  readonly path: string;
  readonly folder: LayoutFolder;
  readonly exists: boolean;
}

/** Ours; with the compat switch the peer's comes first, in which the other side looks for what is saved. */
export function layoutFolders({ layoutFolder, home, rules }: Config): readonly [LayoutFolder, ...LayoutFolder[]] {
  const own: LayoutFolder = { path: layoutFolder, schema: 'native' };
  const peers: LayoutFolder = { path: join(home, PEERS_FOLDER), schema: 'programa' };
  return rules.compat ? [peers, own] : [own];
}

/** The files that layouts are kept in, one each, named after them. Read afresh at every use: people edit them. */
export class LayoutFiles {
  readonly #folders: () => readonly [LayoutFolder, ...LayoutFolder[]];

  /** @param folders are searched in this order; a new layout goes into the first */
  constructor(folders: () => readonly [LayoutFolder, ...LayoutFolder[]]) {
    this.#folders = folders;
  }

  /** Where a layout of that name is, else where it would go. @throws `invalid_name` */
  async place(name: string): Promise<LayoutPlace> {
    checkName(name);
    const folders = this.#folders();
    for (const folder of folders) {
      const path = join(folder.path, name + ENDING);
      if (await isFile(path)) return { name, path, folder, exists: true };
    }
    return { name, path: join(folders[0].path, name + ENDING), folder: folders[0], exists: false };
  }

  /** @throws `invalid_name`, `not_found`, `invalid_state` and `version_mismatch` for a file that holds no layout of ours */
  async read(name: string): Promise<LayoutFile> {
    const { path, exists } = await this.place(name);
    if (!exists) return fail('not_found', 'There is no such layout', { layout: name });
    try {
      return { name, path, saved: await readSaved(path, name) };
    } catch (error) {
      if (!(error instanceof LayoutProblem)) throw error;
      const code = error.kind === 'version' ? 'version_mismatch' : 'invalid_state';
      return fail(code, `The file holds no layout: ${error.message}`, { layout: name, path, at: error.at });
    }
  }

  async write({ path }: LayoutPlace, saved: SavedLayout): Promise<void> {
    await writeWhole(path, `${JSON.stringify(saved, null, 2)}\n`);
  }

  async remove({ path }: LayoutPlace): Promise<void> {
    await rm(path, { force: true });
  }

  /** By name; of several of one name that which {@link read} finds. */
  async list(): Promise<{ readonly files: LayoutFile[]; readonly unreadable: UnreadableFile[] }> {
    const files = new Map<string, LayoutFile>();
    const unreadable = new Map<string, UnreadableFile>();
    for (const { path: folder } of this.#folders()) {
      for (const name of await namesIn(folder)) {
        if (files.has(name) || unreadable.has(name)) continue;
        const path = join(folder, name + ENDING);
        try {
          files.set(name, { name, path, saved: await readSaved(path, name) });
        } catch (error) {
          unreadable.set(name, { name, path, reason: error instanceof Error ? error.message : String(error) });
        }
      }
    }
    const byName = <T extends { readonly name: string }>(all: Map<string, T>) =>
      [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { files: byName(files), unreadable: byName(unreadable) };
  }
}

/** programa-api §8.2, and what no file system takes. */
function checkName(name: string): void {
  const isWrong = name === '' || name === '.' || name === '..' || /[/\0]/.test(name);
  if (isWrong || Buffer.byteLength(name) > LONGEST_NAME_BYTES) {
    fail('invalid_name', 'A layout can not have this name', { name, longest_bytes: LONGEST_NAME_BYTES });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && entry.name.endsWith(ENDING) && !entry.name.startsWith('.'))
      .map((entry) => entry.name.slice(0, -ENDING.length));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** @throws LayoutProblem, and what the file system says */
async function readSaved(path: string, name: string): Promise<SavedLayout> {
  const found = await stat(path);
  if (!found.isFile()) throw new LayoutProblem('the file', 'is no ordinary file');
  if (found.size > LARGEST_FILE_BYTES) throw new LayoutProblem('the file', `has more than ${LARGEST_FILE_BYTES} bytes`);
  return readLayout(parsed(await readFile(path, 'utf8')), name);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LayoutProblem('the file', `is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}
