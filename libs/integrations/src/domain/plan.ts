import { BrokenConfig } from './broken-config.js';
import type { Found } from './editor.js';
import type { FileSpec } from './target.js';

export type IntegrationState = 'current' | 'outdated' | 'missing' | 'broken';

/** A file as it is now, and what is known of it from our last installation. */
export interface FileView {
  readonly spec: FileSpec;
  /** null: there is none. */
  readonly text: string | null;
  /** What it held before we came; undefined: not known, or the file has changed since we wrote it. */
  readonly original: string | null | undefined;
  /** It is byte for byte what we wrote. */
  readonly untouched: boolean;
}

/** One file that will be made, changed or removed. */
export interface FileChange {
  readonly path: string;
  readonly reason: string;
  /** null: there is no such file yet. */
  readonly before: string | null;
  /** null: it is removed. */
  readonly after: string | null;
  readonly executable: boolean;
}

/** A change, and what the file holds without us, to be given back one day. */
export interface Plan {
  readonly changes: readonly FileChange[];
  /** For every file that will have our part. */
  readonly originals: ReadonlyMap<string, string | null>;
}

export interface FileStatus {
  readonly path: string;
  readonly state: Found | 'broken';
  /** Why it is broken. */
  readonly detail: string | null;
  readonly remarks: readonly string[];
}

const UP_TO_DATE: ReadonlySet<Found> = new Set(['current', 'theirs']);

/** @throws BrokenConfig that names the file; then nothing is to be written */
export function planInstall(views: readonly FileView[]): Plan {
  const originals = new Map<string, string | null>();
  const changes = views.flatMap((view) => {
    const { path, editor } = view.spec;
    const original = naming(path, () => withoutUs(view));
    originals.set(path, original);
    const { text } = view;
    if (text !== null && naming(path, () => UP_TO_DATE.has(editor.find(text)))) return [];
    return changeOf(
      view,
      naming(path, () => editor.add(original)),
    );
  });
  return { changes, originals };
}

/** @throws BrokenConfig that names the file; then nothing is to be written */
export function planUninstall(views: readonly FileView[]): Plan {
  const changes = views.flatMap((view) =>
    changeOf(
      view,
      naming(view.spec.path, () => withoutUs(view)),
    ),
  );
  return { changes, originals: new Map() };
}

export function statusOf({ spec, text }: FileView): FileStatus {
  const { path, editor } = spec;
  if (text === null) return { path, state: 'missing', detail: null, remarks: [] };
  try {
    return { path, state: editor.find(text), detail: null, remarks: editor.remarks?.(text) ?? [] };
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error;
    return { path, state: 'broken', detail: withLine(error), remarks: [] };
  }
}

/** All files together: half an installation is an outdated one. */
export function overall(files: readonly FileStatus[]): IntegrationState {
  const states = new Set(files.map(({ state }) => state));
  states.delete('theirs');
  if (states.has('broken')) return 'broken';
  if (states.size > 1 || states.has('outdated')) return 'outdated';
  return states.has('current') ? 'current' : 'missing';
}

/** The file as it would be had we never come: exactly, where that is known. */
function withoutUs({ spec, text, original, untouched }: FileView): string | null {
  if (text === null) return null;
  if (untouched && original !== undefined) return original;
  const rest = spec.editor.remove(text, original);
  const ours = rest !== text && (original === null || original === undefined);
  return ours && (rest === '' || (original === null && spec.editor.isBlank(rest))) ? null : rest;
}

function changeOf({ spec, text }: FileView, after: string | null): FileChange[] {
  if (after === text) return [];
  const { path, reason, executable = false } = spec;
  return [{ path, reason, before: text, after, executable }];
}

function naming<T>(path: string, fn: () => T): T {
  try {
    return fn();
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error;
    throw new BrokenConfig(`${path}: ${withLine(error)}`, error.line);
  }
}

const withLine = ({ message, line }: BrokenConfig): string => (line === null ? message : `line ${line}: ${message}`);
