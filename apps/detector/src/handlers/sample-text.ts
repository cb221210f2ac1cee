import type { ScreenSample } from '@switchyard/agents';

/** What is known of a screen of which only the text is at hand. */
export interface TextFacts {
  readonly text: string;
  readonly title?: string | undefined;
  readonly process?: string | undefined;
  readonly cols?: number | undefined;
}

/** Where a line ends like this, a person types behind it. */
const WAITS = /[❯›>»$#%:?]\s*$/u;

/** A sample of a text. Its cursor is taken to be behind its last line, and to show where that line waits for input. */
export function sampleOfText({ text, title, process, cols }: TextFacts): ScreenSample {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, '').trimEnd());
  const last = Math.max(
    0,
    lines.findLastIndex((line) => line !== ''),
  );
  return {
    surface_id: '',
    rev: 0,
    offset: 0,
    at: 0,
    cols: cols ?? Math.max(1, ...lines.map((line) => line.length)),
    rows: lines.length,
    lines,
    cursor: { row: last, col: lines[last]?.length ?? 0, visible: WAITS.test(lines[last] ?? '') },
    alternate: false,
    title: title ?? '',
    progress: null,
    foreground:
      process === undefined
        ? null
        : { pid: 0, pgid: 0, start_time: 0, names: [process.toLowerCase()], argv: [process], hint: null },
  };
}
