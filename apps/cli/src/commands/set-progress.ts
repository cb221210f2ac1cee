import { type Run, text } from '../command.js';
import { UsageError } from '../context.js';
import { readProgress } from '../domain/progress.js';
import { placeOf } from './place.js';

/** The one that is shown where there is room for one only. */
const MAIN = 'main';

export const setProgress: Run = async (context, [given = ''], options) => {
  const progress = readProgress(given);
  if (progress === undefined) throw new UsageError(`${given} is no progress: give 0.5, 50% or 12/40`);
  const label = text(options, 'label');
  const done = await context.call('metadata.set_progress', {
    ...placeOf(context, options),
    key: text(options, 'key') ?? MAIN,
    ...progress,
    ...(label !== undefined && { label }),
  });
  context.out.result(done, () => []);
};

export const clearProgress: Run = async (context, [key], options) => {
  const params = { ...placeOf(context, options), ...(key !== undefined && { key }) };
  context.out.result(await context.call('metadata.clear_progress', params), () => []);
};
