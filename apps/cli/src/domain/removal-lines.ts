import type { Result } from '@switchyard/protocol';
import { cleanText } from './clean-text.js';

type Item = Result<'worktree.remove'>['inventory'][number];
type Finding = Result<'worktree.doctor'>['findings'][number];

/** As many names as fit a screen; `--json` has more. */
const MOST_NAMES = 10;
const UNITS = ['B', 'KiB', 'MiB', 'GiB'];
const STEP = 1024;

/** What a worktree holds: a line for each kind, then names. `!` marks what removal refuses because of. */
export function inventoryLines(items: readonly Item[]): string[] {
  return items.flatMap(({ blocks, text, bytes, entries, count }) => {
    const size = bytes === null ? '' : ` (${sizeText(bytes)})`;
    const names = entries.slice(0, MOST_NAMES).map((name) => `    ${cleanText(name)}`);
    const more = count - names.length;
    const rest = names.length > 0 && more > 0 ? [`    and ${more} more`] : [];
    return [`${blocks === 'no' ? ' ' : '!'} ${cleanText(text)}${size}`, ...names, ...rest];
  });
}

/** One finding of the doctor, and what can be done about it. */
export function findingLines({ path, name, states, detail, repairs, done }: Finding): string[] {
  const open = repairs.filter((repair) => !done.includes(repair));
  return [
    `${cleanText(path ?? name ?? '')}: ${states.join(', ')}`,
    `    ${cleanText(detail)}`,
    ...(done.length > 0 ? [`    done: ${done.join(', ')}`] : []),
    ...(open.length > 0 ? [`    to repair: ${open.map((repair) => `--${repair}`).join(' ')}`] : []),
  ];
}

export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= STEP && unit < UNITS.length - 1; unit++) size /= STEP;
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
}
