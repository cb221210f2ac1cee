import type { IParser } from '@xterm/headless';
import { colourAnswer } from './colour-answers.js';
import type { ModeTracker } from './mode-tracker.js';

/** What we are; programs look for names of terminals whose quirks they know, and none of those is ours. */
const NAME = 'Switchyard';
const COLOUR_OSCS = [4, 10, 11, 12];

/**
 * Answers questions that xterm leaves to its display: a program that asks must not wait for nobody. Each answer is given
 * at once, in the order of the questions.
 */
export function answerQuestions(parser: IParser, modes: ModeTracker, reply: (text: string) => void): void {
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
    reply(`\x1b[?${modes.keyboardFlags}u`);
    return true;
  });
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, () => {
    reply(`\x1bP>|${NAME}\x1b\\`);
    return true;
  });
  for (const osc of COLOUR_OSCS) {
    parser.registerOscHandler(osc, (data) => {
      const answer = colourAnswer(osc, data, modes.colours);
      if (answer !== '') reply(answer);
      return false;
    });
  }
}
