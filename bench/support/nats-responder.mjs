// Answers each request with a message: what one costs with nothing but NATS.
import { connect } from '@nats-io/transport-node';

const [servers, token] = process.argv.slice(2);
const nc = await connect({ servers, token });
nc.subscribe('floor', {
  callback: (_, message) => {
    const { id } = JSON.parse(message.string());
    message.respond(JSON.stringify({ id, ok: true, result: { pong: true } }));
  },
});
await nc.flush();
process.on('disconnect', () => process.exit());
process.send('ready');
