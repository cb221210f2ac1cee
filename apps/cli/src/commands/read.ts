import { flag, type Run } from '../command.js';
import { cleanLines } from '../domain/clean-text.js';
import { count } from './count.js';
import { surfaceOf } from './place.js';

export const read: Run = async (context, [surface], options) => {
  const lines = count(options, 'lines');
  const screen = await context.call('surface.read_text', {
    ...surfaceOf(context, surface),
    ...(flag(options, 'scrollback') && { scrollback: true }),
    ...(lines !== undefined && { lines }),
  });
  context.out.result(screen, ({ text }) => (text === '' ? [] : cleanLines(text)));
};
