import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** An npm package at one version. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
}

/** Where agents are, or why they are not there. */
export type Installed = { readonly bin: string } | { readonly missing: string };

/** Agents are large; CI does not wait longer than this for all of them. */
const INSTALL_TIMEOUT_MS = 90_000;
/** A folder of agents that stays from run to run. `off`: none are installed, and the tests that need them are skipped. */
const CACHE = process.env['SWITCHYARD_LIVE_AGENTS'] ?? join(tmpdir(), 'switchyard-live-agents');

const run = promisify(execFile);

/**
 * Installs one agent outside of the repository, or finds it there from an earlier run. Nothing of it becomes part of the
 * product: it has its own folder, and no file of ours names it.
 *
 * @param deadline milliseconds since the epoch after which nothing is waited for
 */
export async function installed({ name, version }: PinnedPackage, deadline: number): Promise<Installed> {
  if (CACHE === 'off') return { missing: 'SWITCHYARD_LIVE_AGENTS is off' };
  const folder = resolve(CACHE, `${name.replace(/\W+/g, '-')}@${version}`);
  const bin = join(folder, 'node_modules', '.bin');
  if (existsSync(bin)) return { bin };
  const left = deadline - Date.now();
  if (left <= 0) return { missing: 'the time to install agents is over' };
  const staging = `${folder}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  try {
    const options = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error', '--prefer-offline'];
    await run('npm', ['install', ...options, '--prefix', staging, `${name}@${version}`], { timeout: left });
    // In one step, so that a run that was cut off leaves nothing that looks whole.
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(staging, folder);
    return { bin };
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    const { message } = error as Error;
    return { missing: `npm could not install it: ${message.split('\n').slice(0, 3).join(' ')}` };
  }
}

export const installDeadline = (): number => Date.now() + INSTALL_TIMEOUT_MS;
