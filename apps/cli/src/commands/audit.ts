import type { Result } from '@switchyard/protocol';
import { type Run, text } from '../command.js';
import { UsageError } from '../context.js';
import { cleanText } from '../domain/clean-text.js';

type Entry = Result<'audit.read'>['entries'][number];

const HEADING = ['TIME', 'CALLER', 'METHOD', 'TARGET', 'OUTCOME'];
const COLOURS: Record<string, 'red' | 'yellow'> = { forbidden: 'red', auth_failed: 'red' };

export const audit: Run = async (context, _args, options) => {
  const [limit, method, outcome, token] = ['limit', 'method', 'outcome', 'token'].map((name) => text(options, name));
  if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit)) throw new UsageError('--limit is a number up to 1000');
  const found = await context.call('audit.read', {
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(method !== undefined && { method }),
    ...(outcome !== undefined && { outcome }),
    ...(token !== undefined && { token }),
  });
  const { out } = context;
  out.result(found, ({ entries }) =>
    entries.length === 0
      ? ['Nothing is on record.']
      : out.table(HEADING, [...entries].reverse().map(rowOf), (cell) => COLOURS[cell]),
  );
};

function rowOf({ at, caller, method, target, outcome }: Entry): string[] {
  const who = caller.token ?? (caller.pid === null ? caller.name : `pid ${caller.pid}`);
  const things = Object.entries(target as Record<string, string>).map(([name, value]) => `${name}=${value}`);
  return [at, who, method, cleanText(things.join(' ')), outcome];
}
