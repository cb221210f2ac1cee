import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { docker, sweep } from './docker.js';
import type { Ground } from './ground.js';

const MAKE_IMAGE = fileURLToPath(new URL('../../../tools/container-base.mjs', import.meta.url));
const run = promisify(execFile);

/** Once a run, before any container test: is there a daemon, and the image? */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('ground', await ground());
}

async function ground(): Promise<Ground> {
  const { SWITCHYARD_NO_DOCKER: reason, SWITCHYARD_TEST_IMAGE: given } = process.env;
  if (reason !== undefined) return { missing: reason };
  try {
    const daemon = await docker();
    await sweep(daemon);
    if (given === undefined) return { image: (await run(process.execPath, [MAKE_IMAGE])).stdout.trim() };
    // It must be there: nothing is ever fetched from a registry.
    await daemon.getImage(given).inspect();
    return { image: given };
  } catch (error) {
    return { missing: sentence(error) };
  }
}

/** What the script says in its last line, or what Docker answers. */
function sentence(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr?.trim().split('\n').at(-1) || message) ?? String(error);
}
