import { readServiceEnv } from '@switchyard/config/service-env';
import { answerCheck, CHECK } from './handoff/check.js';
import { runKeeper } from './run-keeper.js';

const env = readServiceEnv(process.env);
if (process.argv.includes(CHECK)) await answerCheck();
else await runKeeper(env, import.meta.url);
