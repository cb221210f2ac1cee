import { commitHandoff, type Handed } from '@switchyard/service/exec';
import { ownInstallation } from './adapters/installation.js';
import { readUpgrade, type Upgrade, writeUpgrade } from './adapters/upgrade-file.js';
import { onStopSignal } from './stop-signal.js';
import { openYard } from './yard.js';
import type { YardOptions } from './yard-options.js';

/** A fault of ours: `EX_SOFTWARE`, as in every process of the yard. */
const EXIT_FAULT = 70;

/**
 * Goes on with the yard of the supervisor in whose place this one is: replaces every process by one of this
 * installation. When one fails, this program ends, the old one is put back, and does the same.
 */
export async function resume({ state, returned }: Handed): Promise<never> {
  const { supervisor, paths } = openYard(state as YardOptions, process.env, true);
  // In a yard that was started in the foreground a person sees this, as `switchyard up` would say it.
  const say = (text: string) => process.stderr.isTTY && process.stderr.write(`${text}\n`);
  onStopSignal((again) => {
    say(again ? 'Forcing.' : '\nStopping the yard and its terminals … (again to force)');
    void supervisor.stop();
  });
  const note = (change: Partial<Upgrade>) => {
    const present = readUpgrade(paths);
    if (present !== undefined) writeUpgrade(paths, { ...present, ...change });
  };
  const upgrade = readUpgrade(paths);
  const error = returned === undefined ? null : (upgrade?.error ?? returned);
  try {
    await supervisor.takeOver();
    const replaced: string[] = [];
    await supervisor.replaceAll((step) => {
      note({ step, replaced: [...replaced] });
      replaced.push(step);
    });
    await supervisor.start();
    commitHandoff();
    const ended = { step: null, ended_at: Date.now(), error } as const;
    note(returned === undefined ? { ...ended, state: 'done', replaced } : { ...ended, state: 'failed', replaced: [] });
  } catch (fault) {
    const text = fault instanceof Error ? fault.message : String(fault);
    note({ error: `${ownInstallation().version}: ${text}` });
    if (returned === undefined) process.exit(EXIT_FAULT);
    // Nobody is left to go back to. What runs is kept running.
    note({ state: 'failed', step: null, ended_at: Date.now() });
    await supervisor.start();
  }
  await supervisor.stopped;
  say('The yard is down.');
  process.exit(0);
}
