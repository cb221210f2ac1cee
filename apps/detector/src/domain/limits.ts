/** What one manifest may hold. A page of rules is enough for any screen; the rest is a wrong file, or one that hurts. */
export const LIMITS = {
  /** Each is tried on each sample. */
  rules: 128,
  /** Conditions in all rules together. */
  gates: 512,
  /** Conditions inside conditions; nobody reads deeper. */
  depth: 8,
  /** Texts and expressions of one condition. */
  matchers: 32,
  /** Characters of one text or expression. */
  matcherLength: 512,
} as const;

/** A screen takes far less; a longer text loses its beginning, so that no expression runs for ever. */
export const TEXT_LIMIT_CHARS = 64 * 1024;
