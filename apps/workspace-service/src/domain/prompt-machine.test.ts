import { describe, expect, it } from 'vitest';
import { type PromptMachine, type PromptRules, type PromptView, promptMachine, stepPrompt } from './prompt-machine.js';
import { fingerprintOf, lookAt } from './prompt-screen.js';

const TEXT = 'please fix the failing test';
const look = (text: string) => lookAt(text, fingerprintOf(TEXT));
const EMPTY = '┌────┐\n│    │\n└────┘';
const FULL = `┌────┐\n│ ${TEXT} │\n└────┘`;
const SENT = `> ${TEXT}\n┌────┐\n│    │\n└────┘`;
const AGENT: PromptRules = { known: true, bracketed: true, recognisable: true, force: false };
const SHELL: PromptRules = { known: false, bracketed: true, recognisable: true, force: false };
const PLAIN: PromptRules = { known: false, bracketed: false, recognisable: true, force: false };

/** Plays what is seen at which millisecond; answers what was done, and how it ended. */
function play(rules: PromptRules, views: readonly (readonly [number, string, PromptView['state']?])[]) {
  let machine: PromptMachine = promptMachine(rules, look(EMPTY), 0);
  const done: string[] = [];
  for (const [at, screen, state = null] of views) {
    const next = stepPrompt(machine, { at, look: look(screen), state });
    machine = next.machine;
    const { step } = next;
    if (step.do === 'enter') done.push(`enter@${at}`);
    if (step.do === 'end') return [...done, step.end];
  }
  return done;
}

describe('Enter', () => {
  it('waits until the composer shows the paste and has come to rest', () => {
    expect(
      play(AGENT, [
        [50, EMPTY],
        [400, FULL],
        [450, `${FULL}.`],
        [560, `${FULL}.`],
        [580, `${FULL}.`],
      ]),
    ).toEqual(['enter@580']);
  });

  it('does not wait for ever where something else keeps moving', () => {
    const views = Array.from({ length: 20 }, (_, n): [number, string] => [100 + n * 50, `${n}\n${FULL}`]);
    expect(play(AGENT, views)).toEqual(['enter@800']);
  });

  it('counts as done when the text has left the composer', () => {
    expect(
      play(AGENT, [
        [100, FULL],
        [220, FULL],
        [300, SENT],
      ]),
    ).toEqual(['enter@220', 'submitted']);
  });

  it.each(['working', 'blocked'] as const)('counts as done when the agent is %s now', (state) => {
    expect(
      play(AGENT, [
        [100, FULL],
        [220, FULL],
        [300, FULL, state],
      ]),
    ).toEqual(['enter@220', 'submitted']);
  });

  it('is pressed once more when nothing came of it, and then never again', () => {
    const views = [100, 220, 1400, 1420, 2000, 3200, 3300].map((at): [number, string] => [at, FULL]);
    expect(play(AGENT, views)).toEqual(['enter@220', 'enter@1420', 'no_change']);
  });

  it('is pressed once more where a clock ticks but the text stays', () => {
    const views = [100, 220, 800, 1420, 1500].map((at): [number, string] => [at, at < 200 ? FULL : `${at}\n${FULL}`]);
    expect(play({ ...AGENT }, [[90, FULL], ...views.map(([at]): [number, string] => [at, FULL])])).toEqual([
      'enter@220',
      'enter@1420',
    ]);
  });

  it('is not pressed when a dialog has opened, unless that is wanted', () => {
    const views = [
      [100, FULL],
      [220, FULL, 'blocked'],
    ] as const;
    expect(play(AGENT, views)).toEqual(['dialog']);
    expect(play({ ...AGENT, force: true }, views)).toEqual(['enter@220']);
  });

  it('is not pressed for an agent that shows nothing of the paste', () => {
    expect(
      play(AGENT, [
        [100, EMPTY],
        [5000, EMPTY],
      ]),
    ).toEqual(['no_change']);
  });

  it('is pressed for an agent that has reacted in a way of its own', () => {
    expect(
      play(AGENT, [
        [100, 'pasted!'],
        [5000, 'pasted!'],
        [5200, 'pasted!'],
        [5300, 'sent'],
      ]),
    ).toEqual(['enter@5200', 'submitted']);
  });
});

describe('a program that is no known agent', () => {
  it('gets Enter soon, whether or not it echoes', () => {
    expect(
      play(PLAIN, [
        [100, EMPTY],
        [310, EMPTY],
        [430, EMPTY],
        [500, 'done'],
      ]),
    ).toEqual(['enter@430', 'submitted']);
  });

  it('gets no second Enter where it is typed to, for it may have taken the first', () => {
    expect(
      play(PLAIN, [
        [50, FULL],
        [170, FULL],
        [1370, FULL],
      ]),
    ).toEqual(['enter@170', 'no_change']);
  });

  it('gets one where it has taken a paste and still shows it', () => {
    expect(
      play(SHELL, [
        [50, FULL],
        [170, FULL],
        [1370, FULL],
      ]),
    ).toEqual(['enter@170', 'enter@1370']);
  });
});

describe('a prompt without letters', () => {
  it('is told by any change of the screen', () => {
    const rules = { ...AGENT, recognisable: false };
    expect(
      play(rules, [
        [50, EMPTY],
        [90, '🎉'],
        [210, '🎉'],
        [300, ''],
      ]),
    ).toEqual(['enter@210', 'submitted']);
  });
});
