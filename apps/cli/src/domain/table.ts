/** Between two columns. */
const GAP = '  ';

/**
 * Lays rows out in columns of equal width; the last column keeps its own. Cells are text that is already clean.
 *
 * @param rows the first may be a heading; all of the same length
 */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - width(cell)),
      )
      .join(GAP)
      .trimEnd(),
  );
}

/** Colours take no room. */
function width(cell: string): number {
  return [...cell.replace(/\x1b\[[0-9;]*m/g, '')].length;
}
