// Stands in for any process of a yard: says hello to its supervisor, and ends when told to.
// arguments: socket of the supervisor, name, behaviour (well | crashing | stubborn | slow | hanging), `standby` to wait for its turn
import { once } from 'node:events';
import { connect } from 'node:net';

const [socketPath, name, behaviour, standby] = process.argv.slice(2);
const hello = (state) =>
  `${JSON.stringify({ id: 1, method: 'yard.hello', params: { name, pid: process.pid, instance: String(process.pid), state } })}\n`;

let lifeline;
function open() {
  lifeline = connect(socketPath, () => lifeline.write(hello(behaviour === 'slow' ? 'starting' : 'ready')));
  lifeline.resume(); // answers are read and forgotten, else the end of the connection is never seen
  lifeline.on('error', () => undefined);
  lifeline.on('close', () => setTimeout(open, 50));
}

process.stdout.write(`${name} starts as ${process.pid}\n`);
if (behaviour === 'crashing') process.exit(3);
process.on('SIGTERM', () => {
  if (behaviour === 'stubborn') return;
  process.exit(0);
});
if (standby === 'standby') {
  if (behaviour === 'hanging') await once(process, 'SIGTERM');
  const supervisor = connect(socketPath, () => supervisor.write(hello('standby')));
  const [answer] = await Promise.race([once(supervisor, 'data'), once(supervisor, 'close')]);
  supervisor.end();
  if (!String(answer).includes('"ok":true')) process.exit(0);
}
open();
