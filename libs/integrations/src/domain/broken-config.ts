/** A configuration file that cannot be changed safely as it stands. Nothing of it has been touched. */
export class BrokenConfig extends Error {
  /** Where in the text, from 1; null: the file as a whole. */
  readonly line: number | null;

  constructor(message: string, line: number | null = null) {
    super(message);
    this.name = 'BrokenConfig';
    this.line = line;
  }
}

/** @returns the line, from 1, in which an offset lies */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
