import type { Result } from '@switchyard/protocol';
import { describe, expect, it } from 'vitest';
import { explanationLines } from './explanation-lines.js';

const NOWHERE = {
  window_id: null,
  window_ref: null,
  workspace_id: null,
  workspace_ref: null,
  surface_id: null,
  surface_ref: null,
};
const explained: Result<'agent.explain'> = {
  ...NOWHERE,
  requested_agent: null,
  agent: 'codex',
  display_name: 'Codex',
  recognized_via: 'process',
  state: 'blocked',
  activity: 'unknown',
  question: { kind: 'permission', excerpt: 'Run \x1b[31mrm\x1b[0m?' },
  skip: false,
  rule: 'codex/asks',
  title: 'a\x07b',
  agents: [
    { agent: 'codex', outcome: 'recognized', reason: 'process codex' },
    { agent: 'pi', outcome: 'no_match', reason: 'no such process' },
  ],
  rules: [
    { rule: 'codex/asks', says: 'blocked', priority: 120, outcome: 'won', reason: 'it holds', text: '\x1b[2JRun?' },
    { rule: 'generic/x', says: 'idle', priority: 5, outcome: 'no_match', reason: 'no text', text: 'l\n'.repeat(9) },
  ],
};
const plain = (_: string, text: string) => text;

describe('an explanation', () => {
  it('has the verdict first, then why each rule won or lost and what it looked at, without control characters', () => {
    const lines = explanationLines(explained, plain);
    expect(lines.slice(0, 6)).toEqual([
      'Codex (codex), known by its process: blocked, by codex/asks',
      'title: a b',
      'question (permission): Run rm?',
      'recognized   codex: process codex',
      'won          codex/asks says blocked (120): it holds',
      '             │ Run?',
    ]);
    expect(lines.join('')).not.toContain('\x1b');
  });

  it('shows the beginning of a long text, and how much there is more', () => {
    expect(explanationLines(explained, plain).at(-1)).toBe('             │ … and 3 more');
  });

  it('says so when nobody was recognised', () => {
    const nobody = { ...explained, agent: null, agents: explained.agents.slice(1), rules: [] };
    expect(explanationLines(nobody, plain)).toContain('none of 1 agents was recognised');
  });
});
