import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Nobody's settings count, and nothing is written by a look. */
const ENV = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const LIMIT_BYTES = 256 * 1024 * 1024;

/** Runs git in a folder. @returns {Promise<string>} what it printed */
export async function runGit(folder, ...args) {
  return (await run('git', ['-C', folder, ...args], { env: ENV, maxBuffer: LIMIT_BYTES })).stdout;
}
