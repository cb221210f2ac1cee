import { describe, expect, it } from 'vitest';
import { IDLE_HOLD_MS, UNKNOWN_HOLD_MS, UNMARKED_HOLD_MS } from './inference.js';
import type { ForegroundProcess } from './sample.js';
import { AgentTracker, type Observation, type ProgramReport } from './tracker.js';
import { type AgentState, stateOf, type Verdict } from './verdict.js';

const CLAUDE: ForegroundProcess = { pid: 7, pgid: 7, start_time: 1, names: ['claude'], argv: ['claude'], hint: null };
const SHELL: ForegroundProcess = { ...CLAUDE, pid: 3, pgid: 3, names: ['bash'], argv: ['bash'] };
const QUESTION = { kind: 'permission', excerpt: 'Do you want to proceed?' } as const;

function verdict(state: AgentState | null, more: Partial<Verdict> = {}): Verdict {
  const question = state === 'blocked' ? QUESTION : null;
  const activity = state === 'working' || state === 'idle' ? state : 'unknown';
  return {
    rev: 0,
    agent: 'claude-code',
    recognized_via: 'process',
    activity,
    question,
    state: stateOf(activity, question),
    rule: 'x',
    skip: false,
    certain: state === 'working' || state === 'blocked',
    unmarked: false,
    evidence: [],
    ...more,
  };
}

/** A tracker that is told of looks at the given times, milliseconds. */
function scene() {
  const tracker = new AgentTracker();
  let rev = 0;
  const look = (at: number, seen: Verdict | null, more: Partial<Observation> = {}) =>
    tracker.observe({ at, rev: ++rev, foreground: CLAUDE, program: null, verdict: seen, ...more });
  const hook = (at: number, state: AgentState, sequence: number | null = null, reporter = 'claude') =>
    tracker.report({ at, state, reporter, sequence, question: null, source: 'hooks', agent: null });
  const says = () => [tracker.status.state, tracker.status.source];
  return { tracker, look, hook, says };
}
const program = (state: ProgramReport['state'], kind: ProgramReport['kind'] = null): ProgramReport => ({
  state,
  kind,
  msg: null,
  at: 0,
});

describe('what the screen says', () => {
  it('counts at once when it is working or blocked', () => {
    const { look, says } = scene();
    look(0, verdict('idle'));
    expect(says()).toEqual(['idle', 'inferred']);
    look(10, verdict('working'));
    expect(says()).toEqual(['working', 'inferred']);
    look(20, verdict('blocked'));
    expect(says()).toEqual(['blocked', 'inferred']);
  });

  it('must last to be idle, unless the screen has a sign of its own for it', () => {
    const { tracker, look, says } = scene();
    look(0, verdict('working'));
    look(100, verdict('idle'));
    expect(says()[0]).toBe('working');
    expect(tracker.dueAt).toBe(100 + IDLE_HOLD_MS);
    expect(tracker.tick(100 + IDLE_HOLD_MS)).toBe(true);
    expect(says()[0]).toBe('idle');
    look(1000, verdict('working'));
    look(1100, verdict('idle', { certain: true }));
    expect(says()[0]).toBe('idle');
  });

  it('D13: no pause ends a turn while the sign of work is on the screen', () => {
    const { tracker, look, says } = scene();
    look(0, verdict('working'));
    expect(tracker.dueAt).toBeNull();
    expect(tracker.tick(3_600_000)).toBe(false);
    expect(says()[0]).toBe('working');
  });

  it('waits for the end of the printing of programs that work without a sign', () => {
    const { tracker, look, says } = scene();
    look(0, verdict('working'));
    for (let at = 100; at <= 2000; at += 100) look(at, verdict('idle', { unmarked: true }));
    expect(says()[0]).toBe('working');
    expect(tracker.dueAt).toBe(2000 + UNMARKED_HOLD_MS);
    tracker.tick(2000 + UNMARKED_HOLD_MS);
    expect(says()[0]).toBe('idle');
  });

  it('is kept for a moment when no rule knows the screen, and then given up', () => {
    const { tracker, look, says } = scene();
    look(0, verdict('idle'));
    look(100, verdict(null));
    expect(says()[0]).toBe('idle');
    tracker.tick(100 + UNKNOWN_HOLD_MS);
    expect(says()).toEqual([null, null]);
  });

  it('is not changed by a viewer or picker over it', () => {
    const { tracker, look, says } = scene();
    look(0, verdict('idle'));
    look(100, verdict(null, { skip: true }));
    tracker.tick(100_000);
    expect(says()[0]).toBe('idle');
  });

  it('keeps the time of the last change of state', () => {
    const { tracker, look } = scene();
    look(5, verdict('working'));
    look(50, verdict('working', { rule: 'y' }));
    expect(tracker.status.since).toBe(5);
    look(70, verdict('blocked'));
    expect(tracker.status.since).toBe(70);
  });

  it('drops a look that is older than the last', () => {
    const { tracker, says } = scene();
    const at = (rev: number, state: AgentState) =>
      tracker.observe({ at: rev, rev, foreground: CLAUDE, program: null, verdict: verdict(state) });
    at(2, 'working');
    expect(at(1, 'blocked')).toBe(false);
    expect(says()[0]).toBe('working');
  });
});

describe('the order of trust', () => {
  it('believes the program before hooks, and hooks before the screen', () => {
    const { look, hook, says } = scene();
    look(0, verdict('idle'), { program: program('working') });
    expect(says()).toEqual(['working', 'program']);
    hook(10, 'idle');
    expect(says()).toEqual(['working', 'program']);
    look(20, null, { program: null });
    expect(says()).toEqual(['idle', 'hooks']);
  });

  it('takes done and error for idle, and says what the program is blocked by', () => {
    const { tracker, look, says } = scene();
    look(0, verdict('working'), { program: program('done') });
    expect(says()).toEqual(['idle', 'program']);
    look(10, verdict('blocked'), { program: program('blocked', 'auth') });
    expect(tracker.status).toMatchObject({ state: 'blocked', question: { kind: 'auth', excerpt: QUESTION.excerpt } });
  });

  it('does not take a program for an agent because it reports', () => {
    const { look, says } = scene();
    look(0, verdict(null, { agent: null, recognized_via: null }), { program: program('working') });
    expect(says()).toEqual([null, null]);
  });
});

describe('hooks', () => {
  it('drops reports that come late, for each reporter by itself', () => {
    const { hook, says } = scene();
    expect(hook(0, 'working', 5)).toBe(true);
    expect(hook(1, 'idle', 4)).toBe(false);
    expect(hook(2, 'idle', 5)).toBe(false);
    expect(hook(3, 'blocked', 1, 'another')).toBe(true);
    expect(says()).toEqual(['blocked', 'hooks']);
  });

  it('stay until they are cleared where no agent is seen', () => {
    const { tracker, look, hook, says } = scene();
    look(0, verdict(null, { agent: null }), { foreground: SHELL });
    hook(10, 'working');
    look(20, verdict(null, { agent: null }), { foreground: SHELL });
    tracker.tick(1_000_000);
    expect(says()).toEqual(['working', 'hooks']);
    expect(tracker.clear(1_000_001)).toBe(true);
    expect(says()).toEqual([null, null]);
  });

  it('D7: a permission that hooks never close is closed when the screen is back at the prompt', () => {
    const { tracker, look, hook, says } = scene();
    hook(0, 'working', 1);
    look(5, verdict('working'));
    hook(100, 'blocked', 2);
    look(150, verdict('blocked'));
    expect(says()).toEqual(['blocked', 'hooks']);
    look(5000, verdict('idle', { certain: true }));
    expect(says()).toEqual(['blocked', 'hooks']);
    tracker.tick(tracker.dueAt ?? Number.NaN);
    expect(says()).toEqual(['idle', 'inferred']);
  });

  it('are not refuted by silence, nor by a screen that no rule knows', () => {
    const { tracker, look, hook, says } = scene();
    look(0, verdict('idle', { certain: true }));
    hook(100, 'working');
    look(200, verdict('working'));
    look(300, verdict(null));
    for (let at = 400; at < 60_000; at += 100) tracker.tick(at);
    expect(says()).toEqual(['working', 'hooks']);
  });

  it('give way at once to a dialog that is open', () => {
    const { look, hook, says } = scene();
    look(0, verdict('working'));
    hook(10, 'working');
    look(20, verdict('blocked'));
    expect(says()).toEqual(['blocked', 'inferred']);
  });

  it('speak again after they were refuted', () => {
    const { tracker, look, hook, says } = scene();
    look(0, verdict('idle', { certain: true }));
    hook(10, 'working');
    tracker.tick(tracker.dueAt ?? Number.NaN);
    expect(says()).toEqual(['idle', 'inferred']);
    hook(9000, 'working');
    expect(says()).toEqual(['working', 'hooks']);
  });
});

describe('who is there', () => {
  it('forgets everything when the process of the agent is gone', () => {
    const { tracker, look, hook, says } = scene();
    look(0, verdict('working'));
    hook(10, 'working', 9);
    look(20, verdict(null, { agent: null }), { foreground: SHELL });
    expect(tracker.status).toMatchObject({ agent: null, state: null, source: null });
    expect(hook(30, 'idle', 1)).toBe(true);
    expect(says()).toEqual(['idle', 'hooks']);
  });

  it('begins anew when the same agent is started again', () => {
    const { look, hook, says } = scene();
    look(0, verdict('working'));
    hook(10, 'working');
    look(20, verdict('idle'), { foreground: { ...CLAUDE, pid: 8 } });
    expect(says()).toEqual(['idle', 'inferred']);
  });

  it('keeps an agent behind tmux for a moment when one screen does not show it', () => {
    const { tracker, look, says } = scene();
    const tmux = { foreground: { ...SHELL, names: ['tmux'] } };
    look(0, verdict('idle', { recognized_via: 'screen' }), tmux);
    look(100, verdict(null, { agent: null, recognized_via: null }), tmux);
    expect(says()[0]).toBe('idle');
    tracker.tick(tracker.dueAt ?? Number.NaN);
    expect(tracker.status).toMatchObject({ agent: null, state: null });
  });

  it('goes on from what was saved', () => {
    const { tracker, look, hook } = scene();
    look(0, verdict('working'));
    hook(10, 'blocked', 3);
    look(20, verdict('idle'));
    const again = new AgentTracker(JSON.parse(JSON.stringify(tracker.save())));
    expect(again.status).toEqual(tracker.status);
    expect(again.dueAt).toBe(tracker.dueAt);
    expect(
      again.report({
        at: 30,
        state: 'idle',
        reporter: 'claude',
        sequence: 2,
        question: null,
        source: 'hooks',
        agent: null,
      }),
    ).toBe(false);
  });
});
