/** A command line of these words, for any shell of the Bourne family, and fish. */
export const commandLine = (argv: readonly string[]): string => argv.map(quoted).join(' ');

const quoted = (word: string): string => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
