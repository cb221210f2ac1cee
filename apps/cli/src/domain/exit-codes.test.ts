import { ERRORS, type ErrorCode } from '@switchyard/protocol';
import { describe, expect, it } from 'vitest';
import { EXIT, exitCodeFor, shellStatus } from './exit-codes.js';

describe('exit codes', () => {
  it('tell a refusal, a time-out and an unanswered request apart', () => {
    expect(exitCodeFor('not_found')).toBe(1);
    expect(exitCodeFor('timeout')).toBe(4);
    expect(exitCodeFor('outcome_unknown')).toBe(5);
    expect(exitCodeFor('service_unavailable')).toBe(5);
  });

  it('exist for every error of the contract', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) expect([1, 4, 5]).toContain(exitCodeFor(code));
  });

  it('of `run` are those that a shell would give', () => {
    expect(shellStatus(0, null)).toBe(0);
    expect(shellStatus(3, null)).toBe(3);
    expect(shellStatus(null, 'SIGTERM')).toBe(143);
    expect(shellStatus(null, 'SIGKILL')).toBe(137);
    expect(shellStatus(null, null)).toBe(EXIT.runFailed);
  });
});
