import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS, GLOBAL_OPTIONS } from './command-table.js';
import { EXIT } from './domain/exit-codes.js';

const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

describe('docs/cli.md', () => {
  it('has a row for every command, and no other', () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)/gm)].map((match) => match[1]);
    expect(rows).toEqual(COMMANDS.map(({ name }) => name));
  });

  it('tells every option, by one of its spellings', () => {
    const options = [...GLOBAL_OPTIONS, ...COMMANDS.flatMap((command) => command.options ?? [])];
    const missing = options.filter(({ flags }) => !flags.match(/--?[a-z-]+/g)?.some((name) => page.includes(name)));
    expect(missing).toEqual([]);
  });

  it('lists the exit codes there are', () => {
    const listed = [...page.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]));
    expect(listed).toEqual(Object.values(EXIT));
  });
});
