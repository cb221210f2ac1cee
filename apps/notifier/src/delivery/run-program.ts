import { spawn } from 'node:child_process';

/** Of what a failing program says, for a person to read. */
const ERROR_CHARS = 400;

export interface ProgramRun {
  readonly argv: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program, without a shell, to its end. Rejects when it cannot be started, or ends with anything but 0. */
export function runProgram({ argv, input = '', env = {} }: ProgramRun, signal: AbortSignal): Promise<void> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
      signal,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-ERROR_CHARS);
    });
    // A program that does not read what it is given may do so.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(input);
    child.once('error', (error) => reject(signal.aborted ? new Error(`${program} takes too long`) : error));
    // `exit`, not `close`: what it leaves running may hold its output open.
    child.once('exit', (code, killedBy) => {
      child.stderr.destroy();
      if (code === 0) resolve();
      else
        reject(new Error(`${program} ended with ${killedBy ?? code}${said.trim() === '' ? '' : `: ${said.trim()}`}`));
    });
  });
}
