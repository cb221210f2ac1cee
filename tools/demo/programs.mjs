import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = (process.env.PATH ?? '/usr/bin:/bin').split(':');
const has = (program) => FOLDERS.some((folder) => existsSync(join(folder, program)));

/** A full-screen program that most machines have: its command, a text on its screen, and the keys that end it. */
export function fullScreenProgram(folder) {
  const page = join(folder, 'page.txt');
  writeFileSync(page, Array.from({ length: 400 }, (_, i) => `${i + 1}  a page to look at`).join('\n'));
  const known = [
    { argv: ['top', '-d', '1'], shows: 'PID', quit: 'q' },
    { argv: ['vi', page], shows: 'a page to look at', quit: '\x1b:q!\r' },
    { argv: ['less', page], shows: 'a page to look at', quit: 'q' },
    { argv: ['more', page], shows: 'a page to look at', quit: 'q' },
  ];
  const found = known.find(({ argv }) => has(argv[0]));
  if (found === undefined) throw new Error('none of top, vi, less and more is installed');
  return found;
}

/** Prints numbered lines as fast as a terminal takes them. */
export const flood = (lines) => [
  process.execPath,
  '-e',
  `const last = ${lines}; let next = 1;
   const more = () => {
     while (next <= last) {
       let text = '';
       for (let end = Math.min(next + 1000, last + 1); next < end; next++) text += 'line ' + String(next).padStart(8, '0') + '\\n';
       if (!process.stdout.write(text)) return process.stdout.once('drain', more);
     }
   };
   more();`,
];
