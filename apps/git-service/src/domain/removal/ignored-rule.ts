import type { ByteText } from './byte-text.js';

/**
 * What becomes of an ignored file when its worktree goes (docs/worktrees.md, "Ignored files"):
 * `kept` files count as work, like untracked ones; `rebuildable` ones are what a tool makes again.
 */
export type IgnoredClass = 'kept' | 'rebuildable';

/** Folders of installed packages. Nothing in them is the user's, not even a file that looks like settings. */
const INSTALLED = new Set([
  '.nox',
  '.pnpm-store',
  '.tox',
  '.venv',
  '__pypackages__',
  'bower_components',
  'node_modules',
  'vendor',
  'venv',
]);

/** Folders that builds and tests write. */
const BUILT = new Set([
  '.angular',
  '.cache',
  '.eggs',
  '.gradle',
  '.mypy_cache',
  '.next',
  '.nuxt',
  '.nx',
  '.output',
  '.parcel-cache',
  '.pytest_cache',
  '.ruff_cache',
  '.svelte-kit',
  '.turbo',
  '.vite',
  '__pycache__',
  'build',
  'coverage',
  'dist',
  'obj',
  'target',
]);

const BUILT_FILES = /(^(\.DS_Store|Thumbs\.db|\.eslintcache|\.stylelintcache)|\.(pyc|pyo|o|class|tsbuildinfo|swp))$/;

/** Settings and secrets: kept even when they lie in a folder that a build writes. */
const PRECIOUS_FILES = /^(\.env(\..*)?|.*\.(env|pem|key|p12|pfx|keystore|sqlite3?|db)|local\.settings\.json)$/i;

/** @param path relative to the worktree; a folder may end with `/` */
export function classOfIgnored(path: ByteText): IgnoredClass {
  const parts = path.split('/').filter((part) => part !== '');
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => INSTALLED.has(part))) return 'rebuildable';
  const isFolder = path.endsWith('/');
  if (!isFolder && PRECIOUS_FILES.test(name) && !BUILT_FILES.test(name)) return 'kept';
  if (parts.some((part) => BUILT.has(part)) || BUILT_FILES.test(name)) return 'rebuildable';
  return 'kept';
}

/** Whether a folder needs no look inside for the sake of precious files. */
export const isInstalledFolder = (path: ByteText): boolean => path.split('/').some((part) => INSTALLED.has(part));
