import { expandKinds, fail, JOURNAL_KINDS } from '@switchyard/protocol';

/**
 * The kinds of the journal that a filter names.
 *
 * @returns undefined: all, also such as are not known here
 * @throws `invalid_params` that names the word and the kinds there are
 */
export function journalKinds(words: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (words === undefined || words.includes('*')) return undefined;
  const meant = expandKinds(words, JOURNAL_KINDS);
  if ('kinds' in meant) return new Set(meant.kinds);
  return fail('invalid_params', `There is no such kind of event: ${meant.unknown}`, {
    path: 'kinds',
    kind: meant.unknown,
    supported_kinds: JOURNAL_KINDS,
  });
}
