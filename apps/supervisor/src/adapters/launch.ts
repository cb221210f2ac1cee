import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { ProcessSpec } from '../domain/process-plan.js';
import { openLog } from './log-file.js';

/** What to run for a process of the yard. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** How to learn that it is ready, for a program without a lifeline. Resolves false when the signal fires first. */
  readonly ready?: (signal: AbortSignal) => Promise<boolean>;
}

export interface Launched {
  readonly pid: number;
  /** Says how it ended, for the log. */
  readonly exited: Promise<string>;
  readonly ready?: Program['ready'];
}

/**
 * Starts a process.
 *
 * @param standsBy it waits until it is told that the one before it has gone
 * @throws when the system cannot
 */
export type Launch = (spec: ProcessSpec, standsBy?: boolean) => Launched;

/** @returns what to run for a process of the yard */
export type ProgramFor = (spec: ProcessSpec, standsBy?: boolean) => Program;

/**
 * Processes are started in their own session, with their output in a file: they must outlive this process, its terminal,
 * and the pipes that it would otherwise hold.
 */
export function launcher(programFor: ProgramFor, logDir: string): Launch {
  return (spec, standsBy = false) => {
    const program = programFor(spec, standsBy);
    const log = openLog(logDir, spec.name);
    try {
      const child = spawn(program.command, program.args, {
        detached: true,
        stdio: ['ignore', log, log],
        env: program.env,
        cwd: '/',
      });
      const exited = new Promise<string>((resolve) => {
        child.once('error', (error) => resolve(error.message));
        child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
      });
      if (child.pid === undefined) throw new Error(`cannot run ${program.command}`);
      return { pid: child.pid, exited, ...(program.ready && { ready: program.ready }) };
    } finally {
      closeSync(log);
    }
  };
}
