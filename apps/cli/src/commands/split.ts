import { type Run, text } from '../command.js';
import { surfaceOf } from './place.js';
import { programParams } from './program-params.js';

type Direction = 'left' | 'right' | 'up' | 'down';

export const split: Run = async (context, command, options) => {
  const made = await context.call('surface.split', {
    ...programParams(command, options),
    ...surfaceOf(context, text(options, 'surface')),
    direction: (text(options, 'direction') ?? 'right') as Direction,
  });
  context.out.result(made, ({ surface_ref }) => surface_ref);
};
