import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', '.git', '.nx', 'coverage']);

export interface SourceFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** Paths below a folder of the repository, without what is generated. */
export function filesUnder(folder: string): string[] {
  const found: string[] = [];
  const walk = (dir: string) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (SKIPPED_FOLDERS.has(entry.name)) continue;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(relative(ROOT, path));
    }
  };
  walk(join(ROOT, folder));
  return found.sort();
}

export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const IMPORT =
  /^\s*(?:import|export)\b(?!\s+type\b)[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

/** All TypeScript of the libraries and apps, tests included, with what each file imports at run time. */
export function sourceFiles(): SourceFile[] {
  return [...filesUnder('libs'), ...filesUnder('apps')]
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readText(path);
      const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
      return { path, text, imports };
    });
}
