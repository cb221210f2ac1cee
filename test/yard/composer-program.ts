import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Yard } from '@switchyard/testing';

export const COMPOSER = join(import.meta.dirname, 'composer.mjs');

export interface Composer {
  readonly surface_id: string;
  /** Everything that was submitted to it so far. */
  submitted(): { text: string; mode: string }[];
}

let count = 0;

/** Starts composer.mjs in a workspace of its own. @param env what it is to be like: see there */
export async function startComposer(yard: Yard, env: Readonly<Record<string, string>> = {}): Promise<Composer> {
  const client = await yard.client();
  const log = join(yard.dir, `composer-${++count}.jsonl`);
  const argv = [process.execPath, COMPOSER];
  const { surface_id } = await client.call('workspace.create', { argv, env: { COMPOSER_LOG: log, ...env } });
  await client.call('surface.wait', { surface_id, pattern: 'READY' });
  return { surface_id, submitted: () => linesOf(log) };
}

function linesOf(log: string): { text: string; mode: string }[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}
