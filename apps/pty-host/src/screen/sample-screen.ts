import type { ForegroundProcess, ScreenSample } from '@switchyard/agents';
import type { Screen } from './screen.js';

export interface SampleFacts {
  readonly surface_id: string;
  /** Bytes the terminal had produced. */
  readonly offset: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly foreground: ForegroundProcess | null;
}

/** A screen as detectors are given it: live, in recordings and in tests. */
export function sampleScreen(screen: Screen, { surface_id, offset, at, foreground }: SampleFacts): ScreenSample {
  const { lines, wrapped, cursor, alternate } = screen.look();
  return {
    surface_id,
    rev: screen.rev,
    offset,
    at,
    cols: screen.cols,
    rows: screen.rows,
    lines,
    ...(wrapped.includes(true) && { wrapped }),
    cursor,
    alternate,
    title: screen.title ?? '',
    progress: screen.voice.progress,
    foreground,
  };
}
