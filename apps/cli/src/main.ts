#!/usr/bin/env node
// Agents run `hook` on every event and wait for it: it does without the rest.
if (process.argv[2] === 'hook' && !process.argv.includes('--help')) await import('./hook.js');

// A reader that closes the pipe (`| head`) has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 70));

const { runCli } = await import('./cli.js');
process.exit(await runCli(process.argv.slice(2), process.env));
