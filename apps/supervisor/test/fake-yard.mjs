// A supervisor in a process of its own, over fake services, so that a test can kill it.
// argument: JSON of { config, behaviours }
import { fileURLToPath } from 'node:url';
import { build } from '@switchyard/supervisor';

const { config, behaviours } = JSON.parse(process.argv[2]);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const supervisor = build(
  { ...config, env: process.env },
  {
    openLog: () => quiet,
    onBus: () => ({ bus: undefined, eventsWaiting: 0, tell: () => undefined, close: async () => undefined }),
    programFor: ({ name }, standsBy) => ({
      command: process.execPath,
      args: [
        fileURLToPath(new URL('fake-service.mjs', import.meta.url)),
        config.paths.supervisorSocket,
        name,
        behaviours[name] ?? 'well',
        standsBy ? 'standby' : '',
      ],
      env: process.env,
    }),
  },
);
await supervisor.start();
process.stdout.write('up\n');
