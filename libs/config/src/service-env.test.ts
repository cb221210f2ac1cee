import { describe, expect, it } from 'vitest';
import { readServiceEnv } from './service-env.js';

describe('readServiceEnv', () => {
  it('takes the description out of the environment', () => {
    const env: Record<string, string | undefined> = { SWITCHYARD_SERVICE: '{"name":"gateway"}', PATH: '/bin' };
    expect(readServiceEnv(env).name).toBe('gateway');
    expect(env).toEqual({ PATH: '/bin' });
  });

  it('says how the program is meant to be started', () => {
    expect(() => readServiceEnv({})).toThrow(/switchyard up/);
    expect(() => readServiceEnv({ SWITCHYARD_SERVICE: '{' })).toThrow(/not JSON/);
  });
});
