import { SwitchyardError } from '@switchyard/protocol/errors';
import { NoYardError, UsageError, YardProblem } from './context.js';
import { cleanLines } from './domain/clean-text.js';
import { EXIT, exitCodeFor } from './domain/exit-codes.js';

/** What to tell about an error, and the exit code that goes with it. Never a stack. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly data?: Record<string, unknown> | undefined;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof SwitchyardError) {
    return { exitCode: exitCodeFor(error.code), code: error.code, message: error.message, data: error.data };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoYardError) return { exitCode: EXIT.noYard, code: 'no_yard', message };
  if (error instanceof UsageError) return { exitCode: EXIT.usage, code: 'usage', message };
  if (error instanceof YardProblem) return { exitCode: EXIT.refused, code: 'yard_problem', message };
  return { exitCode: EXIT.fault, code: 'error', message };
}

/** Errors are for people, too, when results are JSON; with `--json` both are JSON. */
export function report(failure: Failure, asJson: boolean): void {
  const { code, message, data } = failure;
  if (asJson) process.stderr.write(`${JSON.stringify({ error: { code, message, ...(data && { data }) } })}\n`);
  else process.stderr.write(`switchyard: ${cleanLines(message)}${hint(failure)}\n`);
}

function hint({ code, data }: Failure): string {
  const known = data?.['known'];
  const list = Array.isArray(known) ? `\nThere are: ${known.join(', ')}` : '';
  return ['error', 'usage', 'no_yard', 'yard_problem'].includes(code) ? list : ` (${code})${list}`;
}
