import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SubjectTrie, type Subscriber } from './subject-trie.js';

const sub = (subject: string, queue?: string): Subscriber => ({ subject, queue });
const token = fc.constantFrom('a', 'b', 'c');
const literal = fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join('.'));
const filter = fc
  .tuple(fc.array(fc.oneof(token, fc.constant('*')), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([tokens, rest]) => (rest ? [...tokens, '>'] : tokens).join('.'));

/** The definition, as a regular expression. */
function says(pattern: string, subject: string): boolean {
  const source = pattern
    .split('.')
    .map((part) => (part === '*' ? '[^.]+' : part === '>' ? '.+' : part))
    .join('\\.');
  return new RegExp(`^${source}$`).test(subject);
}

describe('the trie of subscriptions', () => {
  it('finds exactly those whose filter matches', () => {
    fc.assert(
      fc.property(fc.array(filter, { maxLength: 20 }), literal, (filters, subject) => {
        const trie = new SubjectTrie();
        for (const each of filters) trie.add(sub(each));
        const found = trie.match(subject).plain.map((each) => each.subject);
        expect(found.sort()).toEqual(filters.filter((each) => says(each, subject)).sort());
      }),
    );
  });

  it('forgets what is removed, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(filter, { minLength: 1, maxLength: 20 }), fc.nat(), literal, (filters, pick, subject) => {
        const trie = new SubjectTrie();
        const subs = filters.map((each) => sub(each));
        for (const each of subs) trie.add(each);
        const gone = subs[pick % subs.length] as Subscriber;
        expect(trie.remove(gone)).toBe(true);
        expect(trie.remove(gone)).toBe(false);
        const left = subs.filter((each) => each !== gone && says(each.subject, subject));
        expect(new Set(trie.match(subject).plain)).toEqual(new Set(left));
        for (const each of subs) trie.remove(each);
        expect(trie).toEqual(new SubjectTrie());
      }),
    );
  });

  it('puts members of a queue group together, whichever filter they used', () => {
    const trie = new SubjectTrie();
    const members = [sub('a.b', 'q'), sub('a.*', 'q'), sub('>', 'q')];
    const other = sub('a.>', 'r');
    for (const each of [...members, other]) trie.add(each);
    const { plain, queues } = trie.match('a.b');
    expect(plain).toEqual([]);
    expect(new Set(queues.get('q'))).toEqual(new Set(members));
    expect(queues.get('r')).toEqual([other]);
  });
});
