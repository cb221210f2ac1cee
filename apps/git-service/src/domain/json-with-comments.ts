/**
 * Reads JSON as people write it: with comments of both kinds, and a comma after the last member.
 * @throws SyntaxError as `JSON.parse`
 */
export function parseJsonWithComments(text: string): unknown {
  return JSON.parse(plainJson(text));
}

/** Strings are passed over as they are; a comma is dropped when only blanks follow it before the bracket. */
const TOKEN = /("(?:[^"\\]|\\[\s\S])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const LAST_COMMA = /("(?:[^"\\]|\\[\s\S])*")|,(?=\s*[\]}])/g;

function plainJson(text: string): string {
  const keepStrings = (_: string, quoted: string | undefined) => quoted ?? ' ';
  return text.replace(TOKEN, keepStrings).replace(LAST_COMMA, keepStrings);
}
