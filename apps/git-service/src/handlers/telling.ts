import { SwitchyardError } from '@switchyard/protocol';
import type { RecoveryNote } from '../domain/operation.js';
import type { Operations } from '../operations.js';

/**
 * Runs a request that tells what became of an earlier one about the same thing that was cut off. When it fails the
 * error tells: the note is given once, and must not go unheard.
 */
export async function telling<T>(
  operations: Operations,
  identity: string,
  fn: (recovered: RecoveryNote | null) => Promise<T>,
): Promise<T> {
  const recovered = await operations.takeNote(identity);
  if (recovered === null) return fn(null);
  try {
    return await fn(recovered);
  } catch (error) {
    throw withFacts(error, { recovered });
  }
}

/** The same error with more facts. What is none of ours stays as it is. */
export function withFacts(error: unknown, facts: Record<string, unknown>): unknown {
  if (!(error instanceof SwitchyardError)) return error;
  return new SwitchyardError(error.code, error.message, { ...error.data, ...facts }, { cause: error });
}
