import { fileURLToPath } from 'node:url';
import { replaceProcess } from './system-calls.js';
import { FALLBACK_ENV, HANDOFF_ENV } from './variables.js';

/**
 * How one program of a process is replaced by another, with a way back.
 *
 * The new program runs with a preload of the old installation ({@link ./fallback.ts}) that puts the old program back when
 * the new one ends, fails or hangs before it says that it can do the work. What the old program wants to tell its
 * successor is in one variable, and is told to itself, with the reason, when it has to come back.
 */
const COMMIT = Symbol.for('switchyard.handoff.commit');

/** A Node program: which Node, and its file. */
export interface NodeProgram {
  readonly node: string;
  readonly main: string;
}

/** What is handed to the successor. */
export interface Handed {
  /** For its eyes: plain JSON. */
  readonly state: unknown;
  /** Set when the successor failed and this program is back: why. */
  readonly returned?: string;
}

/** What {@link ./fallback.ts} needs to put the old program back. */
export interface Fallback extends NodeProgram {
  readonly fds: readonly number[];
  readonly withinMs: number;
}

export interface HandoffOptions {
  readonly to: NodeProgram;
  /** Comes back when that fails. */
  readonly from: NodeProgram;
  readonly state: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Descriptors that go along, in both directions. */
  readonly fds: readonly number[];
  /** Until the successor must have said that it can do the work. */
  readonly withinMs: number;
}

/** Returns only by failing. @throws Error when the system refuses; then nothing has changed */
export function handOver({ to, from, state, env, fds, withinMs }: HandoffOptions): never {
  const fallback: Fallback = { ...from, fds, withinMs };
  const handed: Handed = { state };
  replaceProcess({
    command: to.node,
    args: ['--import', new URL('fallback.js', import.meta.url).href, to.main],
    env: { ...env, [HANDOFF_ENV]: JSON.stringify(handed), [FALLBACK_ENV]: JSON.stringify(fallback) },
    keep: fds,
  });
}

/** Takes what an earlier program of this process has handed over out of the environment; undefined in a fresh process. */
export function takeHanded(env: Record<string, string | undefined>): Handed | undefined {
  const text = env[HANDOFF_ENV];
  delete env[HANDOFF_ENV];
  return text === undefined ? undefined : (JSON.parse(text) as Handed);
}

/** This program can do the work: from now on the old one does not come back. */
export function commitHandoff(): void {
  (globalThis as { [COMMIT]?: () => void })[COMMIT]?.();
}

export function onCommit(commit: () => void): void {
  (globalThis as { [COMMIT]?: () => void })[COMMIT] = commit;
}

/** @param main URL of the module that this process was started with */
export function thisProgram(main: string): NodeProgram {
  return { node: process.execPath, main: fileURLToPath(main) };
}
