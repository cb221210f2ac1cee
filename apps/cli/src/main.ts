#!/usr/bin/env node
import { runCli } from './cli.js';

// A reader that closes the pipe (`| head`) has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 70));

process.exit(await runCli(process.argv.slice(2), process.env));
