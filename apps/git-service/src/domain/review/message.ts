/** What of a comment is told to an agent. */
export interface SentComment {
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly text: string;
}

/**
 * The prompt that comments become (programa-api §8.3): one line for each, under a heading.
 *
 * @param preamble in place of the heading; blank: none
 */
export function messageOf(comments: readonly SentComment[], preamble: string | undefined): string {
  const given = preamble?.trim() ?? '';
  const heading = given === '' ? `Code review comments (${comments.length}):` : given;
  return [heading, '', ...comments.map(lineOf)].join('\n');
}

function lineOf({ file_path, start_line, end_line, text }: SentComment): string {
  const lines = end_line === start_line ? `${start_line}` : `${start_line}-${end_line}`;
  return `${inOneLine(file_path)}:${lines} — ${inOneLine(text.trim())}`;
}

/**
 * A line break in a prompt may be taken for Enter, and in a file name it is allowed all the same; other control
 * characters are keys.
 */
const inOneLine = (text: string): string =>
  text.replace(/\s*[\r\n]+\s*/g, ' / ').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
