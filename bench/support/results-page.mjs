import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { markdownTable } from './report.mjs';

const PAGE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
const BEGIN = '<!-- results: npm run bench -- --accept -->\n';
const END = '<!-- end of results -->\n';

/** Puts the results of a full run into docs/benchmarks.md, in place of the ones there. */
export function acceptResults({ machine, rows }) {
  const page = readFileSync(PAGE, 'utf8');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for results`);
  const day = new Date().toISOString().slice(0, 10);
  const results = `${day}, ${machine}.\n\n${markdownTable(rows)}\n\n`;
  writeFileSync(PAGE, page.slice(0, begin + BEGIN.length) + results + page.slice(end));
}
