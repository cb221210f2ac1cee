/** Lines of a file, as people and compilers write them. */
export interface LinePlace {
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
}

const PLACE = /^(.+):([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/s;

/** Reads `FILE:LINE` or `FILE:FIRST-LAST`; undefined when it is neither. */
export function linePlace(text: string): LinePlace | undefined {
  const [, file_path, first, last] = PLACE.exec(text) ?? [];
  if (file_path === undefined || first === undefined) return undefined;
  return { file_path, start_line: Number(first), end_line: Number(last ?? first) };
}
