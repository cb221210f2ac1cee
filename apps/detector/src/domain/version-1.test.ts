import { describe, expect, it } from 'vitest';
import type { ManifestV1, RuleV1 } from './manifest.js';
import { badPatterns, classifyV1, compileV1, recognizesV1 } from './version-1.js';

const rule = (bucket: string, priority: number, lines: number, ...patterns: string[]): RuleV1 => ({
  bucket,
  priority,
  anchor_last_n_lines: lines,
  patterns,
  confidence: 'low',
});
const manifest = (agent: string, states: RuleV1[], screenPatterns: string[] = []): ManifestV1 => ({
  version: 1,
  agent,
  display_name: agent,
  recognize: { process_names: [], screen_patterns: screenPatterns },
  states,
});
const bucketOf = (states: RuleV1[], screen: string) => classifyV1(compileV1(manifest('a', states)), screen)?.bucket;

describe('a manifest of version 1', () => {
  it('takes the matching rule of the highest priority, whatever its place in the file', () => {
    const states = [rule('idle', 0, 0, 'x'), rule('blocked', 100, 0, 'x'), rule('working', 50, 0, 'x')];
    expect(bucketOf(states, 'x')).toBe('blocked');
  });

  it('keeps the order of the file between rules of equal priority', () => {
    expect(bucketOf([rule('working', 5, 0, 'x'), rule('idle', 5, 0, 'x')], 'x')).toBe('working');
  });

  it('looks only at the last lines that a rule names', () => {
    const states = [rule('working', 1, 2, 'busy')];
    expect(bucketOf(states, 'busy\nb\nc')).toBeUndefined();
    expect(bucketOf(states, 'a\nbusy\nc')).toBe('working');
    expect(bucketOf([rule('working', 1, 0, 'busy')], 'busy\nb\nc')).toBe('working');
  });

  it('counts from the last line that has something on it', () => {
    expect(bucketOf([rule('idle', 1, 1, '^> $|^>$')], 'text\n>  \n\n\n')).toBe('idle');
  });

  it('lets $ match only at the end of the sample', () => {
    const states = [rule('idle', 1, 0, 'now$')];
    expect(bucketOf(states, 'now\nlater')).toBeUndefined();
    expect(bucketOf(states, 'later\nnow')).toBe('idle');
  });

  it('ignores a rule whose bucket it does not know, and a pattern that is no expression', () => {
    const broken = manifest('a', [rule('dreaming', 9, 0, 'x'), rule('idle', 1, 0, '(', 'x')], ['[']);
    expect(classifyV1(compileV1(broken), 'x')).toMatchObject({ bucket: 'idle', matchedPattern: 'x' });
    expect(badPatterns(broken)).toEqual(['[', '(']);
  });

  it('says nothing where nothing matches', () => {
    expect(classifyV1(compileV1(manifest('a', [rule('idle', 1, 0, 'x')])), 'y')).toBeNull();
  });
});

describe('recognition by a manifest of version 1', () => {
  it('names the pattern that shows the agent', () => {
    const engine = compileV1(manifest('a', [], ['y', 'x']));
    expect(recognizesV1(engine, 'an x')).toBe('x');
    expect(recognizesV1(engine, 'z')).toBeNull();
  });
});
