import { takeHanded } from '@switchyard/service/exec';
import { CHECK, ownFacts } from './adapters/installation.js';
import { runDetached } from './detached.js';
import { resume } from './resume.js';

const handed = takeHanded(process.env);
if (process.argv.includes(CHECK)) process.stdout.write(`${JSON.stringify(ownFacts())}\n`);
else if (handed === undefined) await runDetached();
else await resume(handed);
