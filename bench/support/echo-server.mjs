// A bare unix socket that answers each line with a line: what a request costs with nothing behind it.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [path] = process.argv.slice(2);
const server = createServer((socket) => {
  createInterface({ input: socket }).on('line', (line) => {
    const { id } = JSON.parse(line);
    socket.write(`${JSON.stringify({ id, ok: true, result: { pong: true } })}\n`);
  });
});
server.listen(path, () => process.send('ready'));
process.on('disconnect', () => process.exit());
