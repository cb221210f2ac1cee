/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string} unit
 * @property {number} ours
 * @property {number | null} other null where there is nothing to compare with
 * @property {string} than what `other` is: `tmux 3.3a`, or a floor
 * @property {'lower' | 'higher'} better
 * @property {number} [target] ours as a multiple of the other: at most that where lower is better, else at least
 */

const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** How many times better we are than the other; below 1: worse. */
export function ratio({ ours, other, better }) {
  if (other === null) return null;
  return better === 'lower' ? other / ours : ours / other;
}

/** Whether the row's target is met; null: it has none, or nothing to compare with. */
export function met({ ours, other, better, target }) {
  if (target === undefined || other === null) return null;
  return better === 'lower' ? ours <= target * other : ours >= target * other;
}

/** `at most 6× (12.3×): missed`: the target, and ours as the same multiple. */
function targetCell(row) {
  const { ours, other, better, target } = row;
  if (target === undefined) return '';
  const wanted = `at ${better === 'lower' ? 'most' : 'least'} ${target}×`;
  if (other === null) return wanted;
  return `${wanted} (${number(ours / other)}×): ${met(row) ? 'met' : 'missed'}`;
}

const cells = (row) => [
  row.what,
  `${number(row.ours)} ${row.unit}`,
  row.other === null ? '' : `${number(row.other)} ${row.unit}`,
  row.than,
  ratio(row) === null ? '' : `${number(ratio(row))}×`,
  targetCell(row),
];

const HEAD = ['what', 'Switchyard', 'other', 'which is', 'times better', 'target'];

/** @param {Row[]} rows */
export function textTable(rows) {
  const table = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...table.map((line) => line[column].length)));
  return table
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** @param {Row[]} rows */
export function markdownTable(rows) {
  const lines = [HEAD, HEAD.map(() => '---'), ...rows.map(cells)];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
