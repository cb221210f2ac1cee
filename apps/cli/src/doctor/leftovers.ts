import { existsSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type YardPaths, yardPaths } from '@switchyard/config';
import { leftRunning, lockFileOf, yardHolder } from '@switchyard/supervisor';
import { type Finding, fault, hint, ok } from './check.js';
import { listens } from './listens.js';

/** Sockets at which nobody listens, of a yard that does not run. */
export async function checkStaleSockets(paths: YardPaths): Promise<Finding[]> {
  const { gatewaySocket, guestSocket, supervisorSocket, keeperSocket } = paths;
  const there = [gatewaySocket, guestSocket, supervisorSocket, keeperSocket].filter((path) => existsSync(path));
  const taken = await Promise.all(there.map(async (path) => ((await listens(path)) ? path : undefined)));
  const stale = there.filter((path) => !taken.includes(path));
  const what = 'stale sockets';
  const found: Finding[] = [];
  // Those of processes that run without their supervisor are told of by their processes.
  if (taken.includes(gatewaySocket) && leftRunning(paths) === undefined) {
    found.push(fault(what, `another program listens at ${gatewaySocket}`, 'choose another --socket'));
  }
  if (stale.length > 0) {
    found.push(
      hint(what, `left over: ${stale.join(', ')}`, 'nothing: the next start, or switchyard down, removes them'),
    );
  }
  return found.length > 0 ? found : [ok(what, 'none')];
}

/** The lock of a supervisor that is gone, and what was written on the way to one. */
export function checkLock(paths: YardPaths): Finding {
  const file = lockFileOf(paths);
  const what = 'lock';
  const holder = yardHolder(file);
  if (holder !== undefined) return ok(what, `held by the supervisor (${holder})`);
  const folder = dirname(file);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const old = names.filter((name) => name === basename(file) || name.startsWith(`${basename(file)}.`));
  if (old.length === 0) return ok(what, 'nobody holds it');
  const files = old.map((name) => join(folder, name)).join(', ');
  return hint(what, `of a supervisor that is gone: ${files}`, 'nothing: the next start takes it over');
}

/** Processes of other yards of this user whose supervisor is gone: they run on, and nobody restarts them. */
export function checkOtherYards({ yard, runtimeDir }: YardPaths, env: NodeJS.ProcessEnv): Finding {
  const what = 'other yards';
  const base = dirname(runtimeDir);
  const folders = existsSync(base) ? readdirSync(base, { withFileTypes: true }).filter((one) => one.isDirectory()) : [];
  const names = folders.map(({ name }) => name).filter((name) => name !== yard);
  const left = names.flatMap((name) => {
    const paths = yardPaths(env, userInfo().uid, { yard: name });
    if (dirname(paths.runtimeDir) !== base || yardHolder(lockFileOf(paths)) !== undefined) return [];
    const records = leftRunning(paths)?.records ?? [];
    return records.length === 0 ? [] : [`${name} (${records.map((one) => `${one.name} ${one.pid}`).join(', ')})`];
  });
  if (left.length === 0) return ok(what, 'none runs without its supervisor');
  const remedy = 'take one over with switchyard up --yard NAME, or end it with switchyard down --yard NAME';
  return hint(what, `run without a supervisor: ${left.join('; ')}`, remedy);
}
