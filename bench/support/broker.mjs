// The embedded broker alone.
import { build } from '@switchyard/broker';

const [port, token] = process.argv.slice(2);
const ignore = () => undefined;
const broker = build(
  { host: '127.0.0.1', port: Number(port), token },
  { log: { info: ignore, warn: ignore, error: ignore } },
);
await broker.start();
process.on('disconnect', () => process.exit());
process.send('ready');
