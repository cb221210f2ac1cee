import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { Ledger } from './chaos/ledger.js';
import { LineChecker } from './chaos/line-checker.js';
import { findLine, LINE_BYTES, lineOf, printerArgv } from './chaos/lines.js';
import { type Action, planOf } from './chaos/plan.js';

const MINUTE_MS = 60_000;
const START = 14;
const text = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => `${lineOf(7, first + i)}\r\n`).join('');

/** Feeds a printer's output, in pieces. @returns the counts that are not zero */
function checked(output: string, pieceBytes = 1000): Record<string, number> {
  const ledger = new Ledger();
  const checker = new LineChecker(7, START, ledger);
  const bytes = Buffer.from(output, 'latin1');
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    checker.take(START + at, bytes.subarray(at, at + pieceBytes));
  }
  const kinds = ['bytes lost', 'bytes doubled'] as const;
  return Object.fromEntries(kinds.map((kind) => [kind, ledger.count(kind)]).filter(([, count]) => count !== 0));
}

describe('the plan of a chaos run', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planOf(1, 10 * MINUTE_MS)).toEqual(planOf(1, 10 * MINUTE_MS));
    expect(planOf(1, 10 * MINUTE_MS)).not.toEqual(planOf(2, 10 * MINUTE_MS));
  });

  it('does everything to everyone in a few minutes, and spares the keeper its end', () => {
    const done = new Set(planOf(3, 4 * MINUTE_MS).map(({ kind, target }) => `${kind} ${target}`));
    expect(done).toContain('kill supervisor');
    expect(done).toContain('restart bus');
    expect(done).toContain('stop keeper');
    expect(done).not.toContain('kill keeper');
    expect(done).not.toContain('restart keeper');
    expect(done).toContain('upgrade yard');
    expect(done.size).toBe(28 + 10);
  });

  it('upgrades unless that is to be left out, also in the short run of the tests', () => {
    const upgrades = (plan: readonly Action[]) => plan.filter(({ kind }) => kind === 'upgrade').length;
    expect(upgrades(planOf(1, 10 * MINUTE_MS, { upgrades: false }))).toBe(0);
    expect(upgrades(planOf(1, 10 * MINUTE_MS))).toBeGreaterThan(3);
    expect(upgrades(planOf(1, 1.6 * MINUTE_MS))).toBeGreaterThan(0);
  });

  it('lets every process that it suspends go on, within 20 s and in the run', () => {
    const plan = planOf(5, 10 * MINUTE_MS);
    for (const [i, { kind, target, at }] of plan.entries()) {
      if (kind !== 'stop') continue;
      const next = plan.slice(i + 1).find((action) => action.kind === 'continue' && action.target === target);
      expect(next?.at).toBeLessThanOrEqual(at + 20_000);
      expect(next?.at).toBeLessThan(10 * MINUTE_MS);
    }
  });
});

describe('the check of numbered lines', () => {
  it('knows what the program prints', () => {
    const [shell = '', ...args] = printerArgv(7, '/dev/stdin');
    const script = `printf '3\\n2\\n' | timeout 5 ${shell} "$@" || true`;
    const printed = execFileSync('sh', ['-c', script, 'sh', ...args.map((arg) => arg.replace('3<>', '3<'))]);
    const [ready, ...lines] = printed.toString().trimEnd().split('\n');
    expect(ready).toMatch(/^READY \d+;$/);
    expect(lines).toEqual([1, 2, 3, 4, 5].map((n) => lineOf(7, n)));
  });

  it.each([1, 7, LINE_BYTES, 1000, 100_000])('is content with all lines in pieces of %i bytes', (pieceBytes) => {
    expect(checked(text(1, 50), pieceBytes)).toEqual({});
  });

  it('counts a byte that is missing', () => {
    const all = text(1, 50);
    expect(checked(all.slice(0, 20 * LINE_BYTES + 5) + all.slice(20 * LINE_BYTES + 6), 10_000)).toEqual({
      'bytes lost': 1,
    });
  });

  it('counts lines that are missing, and lines that come twice', () => {
    expect(checked(text(1, 20) + text(24, 50), 10_000)).toEqual({ 'bytes lost': 3 * LINE_BYTES });
    expect(checked(text(1, 20) + text(16, 50), 10_000)).toEqual({ 'bytes doubled': 5 * LINE_BYTES });
  });

  it('counts bytes that are wrong', () => {
    expect(checked(text(1, 5) + text(6, 50).replace('007', '0X7'), 10_000)).toEqual({ 'bytes lost': 1 });
  });

  it('takes no damaged line for a whole one', () => {
    expect(findLine(7, text(3, 3).replace(/\d\r/, 'x\r'))).toBeUndefined();
    expect(findLine(7, `${text(3, 3).slice(9)}${text(9, 9)}`)?.number).toBe(9);
  });
});

describe('the verdict', () => {
  it('is all zero only when everything is, and names what is not', () => {
    const ledger = new Ledger();
    expect(ledger.verdict(4)).toBe('verdict: all zero (seed 4)');
    ledger.fault('prompts doubled', 'twice');
    ledger.fault('bytes lost', 'gone', 12);
    expect(ledger.isClean).toBe(false);
    expect(ledger.verdict(4)).toBe('verdict: FAILED: bytes lost 12, prompts doubled 1 (seed 4)');
    expect(ledger.said).toEqual(['bytes lost: gone', 'prompts doubled: twice']);
  });
});
