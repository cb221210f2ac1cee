import {
  BUSY_MS,
  type ForegroundProcess,
  type ProgramReport,
  type ScreenSample,
  SETTLE_MS,
  type Verdict,
} from '@switchyard/agents';
import { beforeEach, describe, expect, it } from 'vitest';
import { verdictWith } from '../test/support/verdict.js';
import { SampleWatch, type TerminalLook } from './sample-watch.js';

const SHELL: ForegroundProcess = { pid: 1, pgid: 1, start_time: 1, names: ['bash'], argv: ['bash'], hint: null };
const CLAUDE: ForegroundProcess = { ...SHELL, pid: 2, pgid: 2, names: ['claude'] };
const WORKING: ProgramReport = { state: 'working', kind: null, msg: null, at: 0 };

function look(text: string, given: Partial<TerminalLook> & { foreground?: ForegroundProcess } = {}): TerminalLook {
  const { foreground = SHELL, ...more } = given;
  const sample: ScreenSample = {
    surface_id: 'S',
    rev: 1,
    offset: 1,
    at: 0,
    cols: 80,
    rows: 1,
    lines: [text],
    cursor: { row: 0, col: 0, visible: true },
    alternate: false,
    title: '',
    progress: null,
    foreground,
  };
  return { sample, painting: false, program: null, ...more };
}

const verdict = (agent: string | null, state: Verdict['state'] = null) => verdictWith({ agent, state });

let watch: SampleWatch;
/** Plans a look and judges it. @returns what was done: 'judged', 'told', both or nothing */
function see(at: number, what: TerminalLook, judgement: Verdict | null = null): string[] {
  const plan = watch.plan(what, at);
  if (plan === undefined) return [];
  const told = watch.judged(plan, plan.evaluate ? judgement : null);
  return [...(plan.evaluate ? ['judged'] : []), ...(told === undefined ? [] : ['told'])];
}

beforeEach(() => {
  watch = new SampleWatch(true);
});

describe('a terminal with an agent', () => {
  const claude = (text: string, more: Partial<TerminalLook> = {}) => look(text, { foreground: CLAUDE, ...more });

  it('is looked at when it has settled, or every 250 ms while it does not; never when nothing changes', () => {
    expect(watch.dueAt).toBeNull();
    watch.changed(0);
    expect(watch.dueAt).toBe(SETTLE_MS);
    for (let at = 50; at <= BUSY_MS; at += 50) watch.changed(at);
    expect(watch.dueAt).toBe(BUSY_MS);
    expect(see(BUSY_MS, claude('a'), verdict('claude-code', 'working'))).toEqual(['judged', 'told']);
    expect(watch.dueAt).toBeGreaterThan(1000);
  });

  it('is judged whenever its screen is another, and told only when the judgement is', () => {
    see(0, claude('a'), verdict('claude-code', 'working'));
    expect(see(300, claude('b'), verdict('claude-code', 'working'))).toEqual(['judged']);
    expect(see(600, claude('b'))).toEqual([]);
    expect(see(900, claude('c'), verdict('claude-code', 'idle'))).toEqual(['judged', 'told']);
  });

  it('is judged less often while nothing moves but its spinner, and at once when something else does', () => {
    const working = verdict('claude-code', 'working');
    see(0, claude('✻ Thinking (1s)'), working);
    expect(see(100, claude('· Thinking (1s)'))).toEqual([]);
    expect(watch.dueAt).toBe(500);
    expect(see(200, claude('  Thinking (1s)'), working)).toEqual(['judged']);
    expect(see(300, claude('  Thinking (2s)'))).toEqual([]);
    expect(see(700, claude('  Thinking (12s)'), working)).toEqual(['judged']);
    expect(see(1600, claude('  Thinking (13s)'))).toEqual([]);
    expect(see(1700, claude('  Thinking (14s)'), working)).toEqual(['judged']);
    expect(see(3600, claude('  Thinking (15s)'))).toEqual([]);
    expect(see(3700, claude('  Thinking (16s)'), working)).toEqual(['judged']);
    expect(see(3800, claude('✻ Done'), verdict('claude-code', 'idle'))).toEqual(['judged', 'told']);
    expect(see(4200, claude('· Done'))).toEqual([]);
    expect(see(4300, claude('· Done'), verdict('claude-code', 'idle'))).toEqual(['judged']);
  });

  it('is told at once when it reports of itself, and judged when its screen has settled', () => {
    see(0, claude('a'), verdict('claude-code', 'idle'));
    watch.changed(1000);
    watch.reported(1000);
    expect(watch.dueAt).toBe(1000);
    expect(see(1000, claude('b', { program: WORKING }))).toEqual(['told']);
    expect(watch.dueAt).toBe(1000 + SETTLE_MS);
    expect(see(1000 + SETTLE_MS, claude('b', { program: WORKING }), verdict('claude-code', 'working'))).toEqual([
      'judged',
      'told',
    ]);
    expect(see(2000, claude('b', { program: { ...WORKING, at: 5 } }))).toEqual([]);
    expect(see(3000, claude('b'))).toEqual(['told']);
  });

  it('is looked at again a while after it fell silent, since its program may have ended', () => {
    watch.changed(0);
    see(SETTLE_MS, claude('bye'), verdict('claude-code', 'idle'));
    expect(watch.dueAt).toBe(1000 + SETTLE_MS);
    expect(see(1000 + SETTLE_MS, claude('bye'))).toEqual([]);
    expect(watch.dueAt).toBe(6000 + SETTLE_MS);
    expect(see(6000 + SETTLE_MS, look('bye'), verdict(null))).toEqual(['judged', 'told']);
    expect(watch.dueAt).toBeNull();
  });

  it('is not judged by half a frame, unless the frame never ends', () => {
    watch.changed(0);
    expect(see(60, claude('half', { painting: true }))).toEqual([]);
    expect(watch.dueAt).toBe(100);
    expect(see(100, claude('whole'), verdict('claude-code'))).toEqual(['judged', 'told']);
    for (let at = 200; at < 1200; at += 40) expect(see(at, claude('half', { painting: true }))).toEqual([]);
    expect(see(1200, claude('half', { painting: true }), verdict('claude-code'))).toEqual(['judged']);
  });
});

describe('a terminal without one', () => {
  it('is judged when another program comes to the foreground, and else once a second while it prints', () => {
    expect(see(0, look('$'), verdict(null))).toEqual(['judged', 'told']);
    expect(see(300, look('$ l'), verdict(null))).toEqual([]);
    expect(watch.dueAt).toBe(1000);
    watch.changed(700);
    expect(watch.dueAt).toBe(760);
    expect(see(760, look('$ ls'), verdict(null))).toEqual([]);
    expect(see(1000, look('$ ls'), verdict(null))).toEqual(['judged']);
    expect(watch.dueAt).toBeNull();
    const started = look('hello', { foreground: CLAUDE });
    expect(see(1100, started, verdict('claude-code', 'idle'))).toEqual(['judged', 'told']);
    expect(see(1400, look('hello!', { foreground: CLAUDE }), verdict('claude-code', 'idle'))).toEqual(['judged']);
    expect(see(1500, look('$'), verdict(null))).toEqual(['judged', 'told']);
    expect(see(1600, look('$ '), verdict(null))).toEqual([]);
  });

  it('is judged at every change when somebody hints at one', () => {
    const hinted = { ...SHELL, hint: 'my-agent' };
    see(0, look('a', { foreground: hinted }), verdict(null));
    expect(see(300, look('b', { foreground: hinted }), verdict(null))).toEqual(['judged']);
  });
});

describe('when nobody answers', () => {
  it('a screen that was not judged is judged again after a second', () => {
    const plan = watch.plan(look('a'), 0) ?? expect.fail('no plan');
    watch.unjudged(100);
    expect(watch.judged(plan, null)).toMatchObject({ verdict: null });
    expect(watch.dueAt).toBe(1100);
    expect(see(1100, look('a'), verdict('codex', 'idle'))).toEqual(['judged', 'told']);
  });

  it('what nobody took is told again after a second', () => {
    see(0, look('a'), verdict('codex', 'idle'));
    watch.untold(100);
    expect(watch.dueAt).toBe(1100);
    expect(see(1100, look('a'), verdict('codex', 'idle'))).toEqual(['judged', 'told']);
  });

  it('everything is told again to one that has forgotten', () => {
    see(0, look('a'), verdict('codex', 'idle'));
    watch.forget(500);
    expect(watch.dueAt).toBe(500 + SETTLE_MS);
    expect(see(500 + SETTLE_MS, look('a'), verdict('codex', 'idle'))).toEqual(['judged', 'told']);
  });
});

it('judges no screens when that is switched off, and tells the reports all the same', () => {
  watch = new SampleWatch(false);
  expect(see(0, look('a'))).toEqual(['told']);
  expect(see(300, look('b'))).toEqual([]);
  expect(see(600, look('b', { program: WORKING }))).toEqual(['told']);
});

it('does nothing for a terminal that is not there yet', () => {
  watch.changed(0);
  expect(watch.plan(undefined, 80)).toBeUndefined();
  expect(watch.dueAt).toBeNull();
});
