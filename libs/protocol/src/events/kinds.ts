import { JOURNAL_KINDS, type JournalKind } from './journal.js';
import { LIVE_KINDS, type LiveKind } from './live.js';

export type EventKind = JournalKind | LiveKind;

/** Everything that can be subscribed to, sorted. */
export const EVENT_KINDS: readonly EventKind[] = [...JOURNAL_KINDS, ...LIVE_KINDS].sort();

const NAMESPACE = /^([a-z_]+)\.\*$/;

/**
 * The kinds that a list of words means: a kind, all of a namespace (`workspace.*`), or all of the journal (`*`).
 *
 * @returns the first word that means nothing, else the kinds, sorted, each once
 */
export function expandKinds(
  words: readonly string[],
  known: readonly EventKind[] = EVENT_KINDS,
): { readonly kinds: readonly EventKind[] } | { readonly unknown: string } {
  const kinds = new Set<EventKind>();
  for (const word of words) {
    const meant = meaningOf(word, known);
    if (meant.length === 0) return { unknown: word };
    for (const kind of meant) kinds.add(kind);
  }
  return { kinds: [...kinds].sort() };
}

function meaningOf(word: string, known: readonly EventKind[]): readonly EventKind[] {
  if (word === '*') return known.filter((kind) => (JOURNAL_KINDS as readonly string[]).includes(kind));
  const [, namespace] = NAMESPACE.exec(word) ?? [];
  // What tells a state is asked for by its own name: it needs more than a kind.
  if (namespace !== undefined) return known.filter((kind) => inNamespace(kind, namespace));
  return known.filter((kind) => kind === word);
}

function inNamespace(kind: EventKind, namespace: string): boolean {
  return kind.startsWith(`${namespace}.`) && (JOURNAL_KINDS as readonly string[]).includes(kind);
}
