import { fileURLToPath } from 'node:url';
import { handOver } from '@switchyard/service/exec';
import type { YardOptions } from './yard-options.js';

/** All processes of a large yard, one after the other, on a busy machine; then the old installation comes back. */
const UPGRADE_MS = 10 * 60_000;

/** Puts the supervisor of another installation in the place of this one. Returns only by failing. */
export function goOnAs(main: string, options: YardOptions, env: NodeJS.ProcessEnv): never {
  const own = fileURLToPath(new URL('main.js', import.meta.url));
  const [to, from] = [main, own].map((file) => ({ node: process.execPath, main: file })) as [Program, Program];
  return handOver({ to, from, state: options, env, fds: [], withinMs: UPGRADE_MS });
}

interface Program {
  readonly node: string;
  readonly main: string;
}
