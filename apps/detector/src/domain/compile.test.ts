import { describe, expect, it } from 'vitest';
import { faultsIn } from './compile.js';
import { LIMITS } from './limits.js';
import type { Gate, ManifestV2, Rule } from './manifest.js';

const manifest = (rules: readonly Rule[]): ManifestV2 => ({
  version: 2,
  agent: 'a',
  display_name: 'A',
  verified: [],
  recognize: { process_names: [] },
  rules,
});
const rule = (gate: Gate, id = 'r'): Rule => ({ id, says: 'idle', priority: 1, ...gate });
const faults = (...gates: Gate[]) => faultsIn(manifest(gates.map((gate, i) => rule(gate, `r${i}`))));
const nested = (depth: number): Gate => (depth <= 1 ? { shape: 'composer' } : { all: [nested(depth - 1)] });

describe('faults of a manifest', () => {
  it('has none as long as every limit is kept', () => {
    expect(faults({ regex: ['^a$'] }, nested(LIMITS.depth))).toEqual([]);
  });

  it('names the limit that is exceeded', () => {
    const many = Array.from({ length: LIMITS.rules + 1 }, (_, i) => rule({ shape: 'work' }, `r${i}`));
    expect(faultsIn(manifest(many))).toEqual([`${LIMITS.rules + 1} rules, and ${LIMITS.rules} are allowed`]);
    expect(faults(nested(LIMITS.depth + 1))).toEqual([`${LIMITS.depth + 1} depth, and ${LIMITS.depth} are allowed`]);
    const texts = Array.from({ length: LIMITS.matchers + 1 }, () => 'x');
    expect(faults({ contains: texts })[0]).toMatch(/33 matchers/);
    expect(faults({ contains: ['x'.repeat(LIMITS.matcherLength + 1)] })[0]).toMatch(/513 matcherLength/);
    const wide: Gate = { any: Array.from({ length: LIMITS.gates }, () => ({ shape: 'work' as const })) };
    expect(faults(wide)[0]).toMatch(/513 gates/);
  });

  it('finds what is no expression, what is empty, and what is there twice', () => {
    expect(faults({ regex: ['('] })[0]).toMatch(/Invalid regular expression/);
    expect(faults({ not: [{}] })).toEqual(['a condition without a condition']);
    expect(faultsIn(manifest([rule({ shape: 'work' }), rule({ shape: 'work' })]))).toEqual(['two rules are called r']);
  });
});
