import { runDetached } from './detached.js';

await runDetached();
