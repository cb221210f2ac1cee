export { type YardPaths, yardPaths } from './paths.js';
export { readServiceEnv, SERVICE_ENV, type ServiceEnv } from './service-env.js';
export type { Settings } from './settings.js';
export { shardOf } from './shard.js';
export { suggest } from './suggest.js';
