import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readText, writeText } from './files.js';

/** What the files of one installation held before, so that it can be taken back exactly. */
export interface InstallRecord {
  readonly agent: string;
  readonly dir: string;
  readonly version: number;
  /** By path. */
  readonly files: Readonly<Record<string, RecordedFile>>;
  /** Folders that were made for it. */
  readonly folders: readonly string[];
}

export interface RecordedFile {
  /** null: there was no such file. */
  readonly original: string | null;
  /** Of what we wrote. */
  readonly written: string;
}

const OWNER_ONLY = 0o700;
/** Enough to keep two configuration folders of one agent apart. */
const KEY_LENGTH = 12;
const SUFFIX = '.json';

/** The records of all installations of a user, one file each; they hold configurations, so nobody else may read them. */
export class Records {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(agent: string, dir: string): Promise<InstallRecord | null> {
    const text = await readText(this.#path(agent, dir));
    return text === null ? null : parsed(text);
  }

  async put(record: InstallRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY });
    await chmod(this.#folder, OWNER_ONLY);
    await writeText(this.#path(record.agent, record.dir), JSON.stringify(record), false);
  }

  async remove(agent: string, dir: string): Promise<void> {
    await rm(this.#path(agent, dir), { force: true });
  }

  /** Whether there is a record of an installation besides this one. */
  async hasOther(agent: string, dir: string): Promise<boolean> {
    const own = nameOf(agent, dir);
    try {
      return (await readdir(this.#folder)).some((name) => name.endsWith(SUFFIX) && name !== own);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  #path(agent: string, dir: string): string {
    return join(this.#folder, nameOf(agent, dir));
  }
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const nameOf = (agent: string, dir: string): string => `${agent}-${digest(dir).slice(0, KEY_LENGTH)}${SUFFIX}`;

/** A record that cannot be read counts as none: then our part is found by its marks. */
function parsed(text: string): InstallRecord | null {
  try {
    const record = JSON.parse(text) as InstallRecord;
    return typeof record.files === 'object' && Array.isArray(record.folders) ? record : null;
  } catch {
    return null;
  }
}
