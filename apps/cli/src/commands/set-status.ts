import type { Params } from '@switchyard/protocol';
import { type Run, text } from '../command.js';
import { UsageError } from '../context.js';
import { placeOf } from './place.js';

type Looks = Pick<Params<'metadata.set_status'>, 'label' | 'icon' | 'color' | 'url' | 'format'>;

export const setStatus: Run = async (context, [key = '', ...words], options) => {
  const priority = text(options, 'priority');
  if (priority !== undefined && !/^[+-]?\d{1,4}$/.test(priority)) {
    throw new UsageError('--priority is a whole number from -9999 to 9999');
  }
  const looks = ['label', 'icon', 'color', 'url', 'format'].flatMap((name) => {
    const value = text(options, name);
    return value === undefined ? [] : [[name, value]];
  });
  const done = await context.call('metadata.set_status', {
    ...placeOf(context, options),
    key,
    value: words.join(' '),
    ...(Object.fromEntries(looks) as Looks),
    ...(priority !== undefined && { priority: Number(priority) }),
  });
  context.out.result(done, () => []);
};

export const clearStatus: Run = async (context, [key], options) => {
  const params = { ...placeOf(context, options), ...(key !== undefined && { key }) };
  context.out.result(await context.call('metadata.clear_status', params), () => []);
};
