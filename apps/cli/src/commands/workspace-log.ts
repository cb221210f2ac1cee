import type { Params } from '@switchyard/protocol';
import { flag, type Run, text } from '../command.js';
import { UsageError } from '../context.js';
import { logLines } from '../domain/sidebar-lines.js';
import { placeOf } from './place.js';
import { readStdin } from './stdin.js';

type Level = NonNullable<Params<'metadata.log'>['level']>;

export const workspaceLog: Run = async (context, words, options) => {
  const place = placeOf(context, options);
  const [isList, isClear] = [flag(options, 'list'), flag(options, 'clear')];
  if ((isList || isClear) && words.length > 0) throw new UsageError('--list and --clear take no text');
  if (isClear) await context.call('metadata.clear_logs', place);
  if (isClear || isList) {
    context.out.result(await context.call('metadata.list_logs', place), ({ entries }) => logLines(entries));
    return;
  }
  const source = text(options, 'source');
  const level = text(options, 'level') as Level | undefined;
  const done = await context.call('metadata.log', {
    ...place,
    message: words.length > 0 ? words.join(' ') : (await readStdin()).trimEnd(),
    ...(level !== undefined && { level }),
    ...(source !== undefined && { source }),
  });
  context.out.result(done, () => []);
};
