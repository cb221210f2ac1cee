import { describe, expect, it } from 'vitest';
import {
  type AgentNews,
  ASK_HOLD_MS,
  changed,
  due,
  exited,
  FINISH_HOLD_MS,
  NO_TURNS,
  SAID_HOLD_MS,
  said,
  type Turns,
} from './agent-turns.js';
import type { AgentChange } from './words.js';

const START = 1_000_000;
const change = (state: AgentChange['state'], more: Partial<AgentChange> = {}): AgentChange => ({
  agent: 'claude-code',
  state,
  source: state === null ? null : 'hooks',
  activity: 'unknown',
  question: null,
  since: 0,
  failed: false,
  previous: { state: null, source: null },
  ...more,
});
const asking = (excerpt: string, kind: 'permission' | 'unknown' = 'permission') =>
  change('blocked', { question: { kind, excerpt } });

/** One agent over time; what is told is collected as it falls due. */
class Story {
  readonly told: AgentNews[] = [];
  settled = 0;
  #turns: Turns = NO_TURNS;
  #now = START;

  get reasons(): string[] {
    return this.told.map(({ reason, excerpt }) => [reason, excerpt].filter((part) => part !== '').join(': '));
  }
  after(ms: number): this {
    this.#now += ms;
    const next = due(this.#turns, this.#now);
    this.#turns = JSON.parse(JSON.stringify(next.turns));
    if (next.news !== null) this.told.push(next.news);
    return this;
  }
  is(news: AgentChange): this {
    const { turns, settled } = changed(this.#turns, news, this.#now);
    this.#turns = turns;
    this.settled += Number(settled);
    return this;
  }
  says(text: string): this {
    this.#turns = said(this.#turns, text, this.#now);
    return this;
  }
  exits(exit_code: number | null, signal: string | null = null): this {
    this.#turns = exited(this.#turns, { exit_code, signal }, this.#now).turns;
    return this;
  }
}
const MINUTE = 60_000;
const worked = () => new Story().is(change('idle')).after(10).is(change('working')).after(5000);

describe('what a person is told about an agent', () => {
  it('D14: a turn ends once, whatever reminds of it a minute later', () => {
    const story = worked().is(change('idle')).after(FINISH_HOLD_MS).after(MINUTE);
    story.is(change('idle')).says('Claude is waiting for your input').is(change('blocked')).after(MINUTE);
    expect(story.reasons).toEqual(['agent_finished']);
  });

  it('D14: a state that flickers is no turn', () => {
    const inferred = (state: AgentChange['state']) => change(state, { source: 'inferred' });
    const story = new Story().is(inferred('idle'));
    for (let i = 0; i < 5; i++) story.is(inferred('working')).after(300).is(inferred('idle')).after(MINUTE);
    expect(story.reasons).toEqual([]);
    const paused = worked()
      .is(change('idle'))
      .after(FINISH_HOLD_MS - 1)
      .is(change('working'))
      .after(MINUTE);
    expect(paused.is(change('idle')).after(MINUTE).reasons).toEqual(['agent_finished']);
  });

  it('is told of each question once, and not of one that answers itself', () => {
    const story = worked()
      .is(asking('Bash: ls'))
      .after(ASK_HOLD_MS - 1)
      .is(change('working'))
      .after(MINUTE);
    expect(story.reasons).toEqual([]);
    story.is(asking('Bash: rm x')).after(ASK_HOLD_MS).is(asking('Bash: rm x (59 s)')).after(1000);
    story.is(change('working')).after(100).is(asking('Bash: rm x')).after(5000);
    expect(story.reasons).toEqual(['agent_blocked: Bash: rm x']);
    expect(story.told[0]).toMatchObject({ agent: 'claude-code', question: 'permission' });
    expect(story.is(change('working')).settled).toBe(3);
    story.after(MINUTE).is(asking('Bash: rm x')).after(ASK_HOLD_MS);
    expect(story.reasons).toEqual(['agent_blocked: Bash: rm x', 'agent_blocked: Bash: rm x']);
  });

  it('is not told that it stopped where the person has just answered', () => {
    expect(worked().is(asking('Bash: ls')).after(1000).is(change('idle')).after(MINUTE).reasons).toEqual([
      'agent_blocked: Bash: ls',
    ]);
  });

  it('is told of a failure as the program says it, and of the end of the program', () => {
    expect(
      worked()
        .is(change('idle', { failed: true }))
        .after(MINUTE).reasons,
    ).toEqual(['agent_failed']);
    expect(worked().exits(2).after(0).reasons).toEqual(['agent_failed: exit code 2']);
    expect(worked().is(change(null)).exits(null, 'SIGKILL').after(0).reasons).toEqual([
      'agent_failed: ended by SIGKILL',
    ]);
    const ended = worked().exits(0).is(change(null)).after(MINUTE);
    expect(ended.told).toMatchObject([{ reason: 'agent_finished', ended: true, agent: 'claude-code' }]);
    expect(new Story().is(change('idle')).after(MINUTE).exits(1).after(MINUTE).reasons).toEqual([]);
  });

  it('is told in the words of the program what it is about, once for one cause', () => {
    const story = worked().says('Approval requested').after(10).is(asking('', 'unknown')).after(MINUTE);
    expect(story.reasons).toEqual(['agent_blocked: Approval requested']);
    const alone = worked().says('Look at this').after(SAID_HOLD_MS).says('again').after(MINUTE);
    expect(alone.reasons).toEqual(['terminal: Look at this']);
    expect(new Story().is(change('idle')).says('Log in first').after(0).reasons).toEqual(['terminal: Log in first']);
  });
});
