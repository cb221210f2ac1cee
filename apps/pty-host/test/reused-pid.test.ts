import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** A pid namespace of its own, in which the next pid can be chosen. */
const NAMESPACE = ['--pid', '--fork', '--mount-proc', '--kill-child'];
const possible =
  existsSync('/proc/sys/kernel/ns_last_pid') && spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;

describe.skipIf(!possible)('a pid that was given out anew (needs root and Linux)', () => {
  it('A8: gets no signal when the terminal that had it before is closed', () => {
    const program = fileURLToPath(new URL('support/reused-pid.mjs', import.meta.url));
    const told = execFileSync('unshare', [...NAMESPACE, process.execPath, program], { encoding: 'utf8' });
    expect(JSON.parse(told)).toEqual({ reused: true, alive: true, survivors: [] });
  });
});
