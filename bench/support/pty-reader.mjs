// Runs a program in a PTY, presses Enter, and prints how many milliseconds later a mark has been read.
import { spawn } from 'node-pty';

const [mark, file, ...args] = process.argv.slice(2);
const child = spawn(file, args, { cols: 200, rows: 50, encoding: null });
/** The mark is the last that comes; it may come in parts, and a line end follows. */
const TAIL = mark.length + 2;
let end = Buffer.alloc(0);
child.onData((chunk) => {
  end = Buffer.concat([end, chunk.subarray(-TAIL)]).subarray(-TAIL);
  if (!end.includes(mark)) return;
  process.stdout.write(String(performance.now() - start));
  child.kill('SIGKILL');
});
const start = performance.now();
child.write('\r');
