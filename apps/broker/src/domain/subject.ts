const BLANK = /[\s\0]/;

/** A subject to publish to: tokens between dots, none empty, no wildcard. */
export function isLiteral(subject: string): boolean {
  return hasTokens(subject) && !hasWildcard(subject);
}

/** A subject to subscribe to: `*` stands for one token, `>` at the end for one or more. */
export function isFilter(subject: string): boolean {
  if (!hasTokens(subject)) return false;
  const rest = subject.indexOf('>');
  return rest === -1 || !subject.split('.').slice(0, -1).includes('>');
}

function hasTokens(subject: string): boolean {
  if (subject === '' || subject.startsWith('.') || subject.endsWith('.')) return false;
  return !subject.includes('..') && !BLANK.test(subject);
}

function hasWildcard(subject: string): boolean {
  if (!subject.includes('*') && !subject.includes('>')) return false;
  return subject.split('.').some((token) => token === '*' || token === '>');
}
