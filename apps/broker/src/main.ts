import { runProcess } from '@switchyard/service/process';
import { build } from './broker.js';
import { configOf } from './config.js';

await runProcess(async ({ env, log }) => build(await configOf(env), { log }));
