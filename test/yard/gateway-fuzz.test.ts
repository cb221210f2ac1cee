import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sizeFrom } from './use-yard.js';

/** A million in the acceptance run: SWITCHYARD_TEST_FRAMES, or `node test/fuzz/run.mjs --frames 1000000`. */
const FRAMES = sizeFrom('SWITCHYARD_TEST_FRAMES', 50_000);
const PROGRAM = fileURLToPath(new URL('../fuzz/run.mjs', import.meta.url));

it(`holds against ${FRAMES} random and mutated lines over 100 connections`, async () => {
  const run = promisify(execFile)(process.execPath, [PROGRAM, '--frames', String(FRAMES)]);
  // A failure ends with 1, and what it printed says what went wrong.
  const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => ({
    stdout: error.stdout + error.stderr,
  }));
  expect(stdout).toMatch(/\nHELD\n$/);
}, 1_800_000);
