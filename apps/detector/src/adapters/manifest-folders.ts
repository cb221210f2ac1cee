import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@switchyard/bus';
import { type Engine, engineOf, GENERIC } from '../domain/engine.js';
import type { Manifest, ManifestV2 } from '../domain/manifest.js';
import { badPatterns } from '../domain/version-1.js';

/** A manifest is a page of text; more is a wrong file in the folder. */
const FILE_LIMIT_BYTES = 1024 * 1024;

/** One known agent. */
export interface KnownAgent {
  readonly engine: Engine;
  readonly manifest: Manifest;
  readonly source: 'bundled' | 'override';
  /** It took the place of a bundled manifest of the same agent. */
  readonly shadowsBundled: boolean;
}

export interface ManifestFolders {
  readonly bundled: string;
  /** Later folders win over earlier ones. A folder that does not exist is an empty one. */
  readonly overrides: readonly string[];
}

/**
 * Reads all manifests afresh. Files are taken in the order of their names and the last of an agent wins; a file that is
 * no manifest is skipped with a warning. The manifest `generic` is no agent: its rules go to all that want them.
 * @returns sorted by agent id
 */
export async function readManifests(folders: ManifestFolders, log: Log): Promise<KnownAgent[]> {
  const known = new Map<string, Omit<KnownAgent, 'engine'>>();
  for (const manifest of await readFolder(folders.bundled, log)) {
    known.set(manifest.agent, { manifest, source: 'bundled', shadowsBundled: false });
  }
  const bundled = new Set(known.keys());
  for (const folder of folders.overrides) {
    for (const manifest of await readFolder(folder, log)) {
      known.set(manifest.agent, { manifest, source: 'override', shadowsBundled: bundled.has(manifest.agent) });
    }
  }
  const generic = known.get(GENERIC)?.manifest ?? null;
  known.delete(GENERIC);
  return [...known.values()]
    .map((each) => ({ ...each, engine: engineOf(each.manifest, asGeneric(generic)) }))
    .sort((a, b) => (a.engine.agent < b.engine.agent ? -1 : 1));
}

const asGeneric = (manifest: Manifest | null): ManifestV2 | null => (manifest?.version === 2 ? manifest : null);

async function readFolder(folder: string, log: Log): Promise<Manifest[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') log.warn({ folder, reason: error.message }, 'manifest folder cannot be read');
    return [];
  });
  const manifests: Manifest[] = [];
  for (const name of names.filter((file) => file.endsWith('.json')).sort()) {
    const manifest = await readManifest(join(folder, name), log);
    if (manifest !== null) manifests.push(manifest);
  }
  return manifests;
}

async function readManifest(file: string, log: Log): Promise<Manifest | null> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > FILE_LIMIT_BYTES) throw new Error(`over ${FILE_LIMIT_BYTES} bytes`);
    // The library behind it takes a fifth of a second to load: only a detector that is asked pays for it.
    const { checkedManifest } = await import('./check-manifest.js');
    const manifest = checkedManifest(JSON.parse(bytes.toString('utf8')));
    const skipped = manifest.version === 1 ? badPatterns(manifest) : [];
    if (skipped.length > 0) log.warn({ file, skipped }, 'patterns that are no regular expressions are skipped');
    return manifest;
  } catch (error) {
    log.warn({ file, reason: error instanceof Error ? error.message : String(error) }, 'manifest skipped');
    return null;
  }
}
