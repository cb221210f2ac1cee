import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ServiceEnv, type YardPaths, yardPaths } from '@switchyard/config';
import { parseSettings } from '@switchyard/config/load';
import { ENV } from '../keeper-kit.js';

export const KEEPER_MAIN = fileURLToPath(new URL('../../dist/keeper/main.js', import.meta.url));

/** Starts the compiled keeper, with its folders below `root`. */
export function spawnKeeper(root: string): { readonly child: ChildProcess; readonly paths: YardPaths } {
  const paths = yardPaths({ SWITCHYARD_RUNTIME_DIR: `${root}/run`, SWITCHYARD_STATE_DIR: `${root}/state` }, 0);
  const env: ServiceEnv = {
    name: 'keeper',
    service: 'keeper',
    address: '_',
    host: 'local',
    shard: 0,
    shards: 1,
    paths,
    settings: parseSettings('[log]\nlevel = "warn"', 'test'),
  };
  const child = spawn(process.execPath, [KEEPER_MAIN], {
    env: { ...ENV, SWITCHYARD_SERVICE: JSON.stringify(env) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { child, paths };
}
