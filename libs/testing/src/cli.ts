import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The compiled CLI, beside `src` and `dist` of this package alike. */
export const CLI = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));

export interface CliRun {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Runs the CLI to its end; after `timeoutMs` it is killed and the run fails. */
export function runCli(args: readonly string[], { env, timeoutMs }: CliOptions): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const text = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (part: string) => {
        text[stream] += part;
      });
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`switchyard ${args.join(' ')} took over ${timeoutMs} ms:\n${text.stdout}${text.stderr}`));
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...text });
    });
  });
}
