import type { ScreenSample } from '@switchyard/agents';

/** Where the cursor is in a drawn screen; it shows there. */
const CURSOR = '‸';

/**
 * A sample of a screen that is drawn as text. Without `‸` the cursor is hidden behind the last line.
 *
 * @param process name of the program in the foreground
 */
export function screenOf(text: string, process: string, more: Partial<ScreenSample> = {}): ScreenSample {
  const drawn = text.split('\n');
  const row = drawn.findIndex((line) => line.includes(CURSOR));
  const col = (drawn[row] ?? '').indexOf(CURSOR);
  const lines = drawn.map((line) => line.replace(CURSOR, '').trimEnd());
  return {
    surface_id: 's',
    rev: 1,
    offset: 0,
    at: 0,
    cols: 100,
    rows: lines.length,
    lines,
    cursor: row < 0 ? { row: lines.length - 1, col: 0, visible: false } : { row, col, visible: true },
    alternate: false,
    title: '',
    progress: null,
    foreground: { pid: 1, pgid: 1, start_time: 1, names: [process], argv: [process], hint: null },
    ...more,
  };
}
