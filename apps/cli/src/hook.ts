#!/usr/bin/env node
import { runHook } from './hook/run-hook.js';

// Whatever goes wrong is no concern of the agent's, which would show it to the person or even stop.
process.on('uncaughtException', () => process.exit(0));
const args = process.argv.slice(2);
await runHook(args[0] === 'hook' ? args.slice(1) : args, process.env);
process.exit(0);
