import { startYard, type Yard, type YardOptions } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll } from 'vitest';

/**
 * One yard for the tests of a `describe` or file. When a test fails, its folder stays and the logs are shown.
 * @returns gives the yard once the tests run
 */
export function useYard(options: YardOptions = {}): () => Yard {
  let yard: Yard | undefined;
  beforeAll(async () => {
    yard = await startYard(options);
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') yard?.keep();
  });
  afterAll(async () => {
    await yard?.stop();
  });
  return () => {
    if (yard === undefined) throw new Error('the yard runs only while tests do');
    return yard;
  };
}

/** A number from the environment, by which a scenario is made larger than CI can bear. */
export function sizeFrom(variable: string, otherwise: number): number {
  const value = Number(process.env[variable] ?? otherwise);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${variable} must be a whole number above 0`);
  return value;
}
