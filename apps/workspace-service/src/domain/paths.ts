/** Last part of a slash-separated path. */
export function basename(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1) || path;
}

/** Where a relative directory parameter leads; `~` is the user's home. Absolute paths stay as they are. */
export function resolveDirectory(given: string, base: string, home: string): string {
  if (given === '~') return home;
  if (given.startsWith('~/')) return join(home, given.slice(2));
  if (given.startsWith('/')) return given;
  return given === '.' ? base : join(base, given);
}

function join(base: string, rest: string): string {
  const parts: string[] = [];
  for (const part of `${base}/${rest}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}
