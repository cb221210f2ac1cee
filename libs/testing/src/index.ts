export { CLI, type CliOptions, type CliRun, runCli } from './cli.js';
export { type DeafListener, startDeafListener } from './deaf-listener.js';
export { type Answers, type FakeBus, fakeBus } from './fake-bus.js';
export { copyInstallation } from './installation.js';
export { freePort, hasNatsServer, type NatsServer, startNatsServer } from './nats-server.js';
export {
  descriptorsOf,
  isAlive,
  type ProcessFacts,
  processesMentioning,
  processFacts,
  socketsUnder,
} from './processes.js';
export { canMount, SmallDisk } from './small-disk.js';
export { type TempDir, tempDir } from './temp-dir.js';
export { startTmux, type TmuxServer, tmuxMissing } from './tmux.js';
export { waitFor, within } from './wait-for.js';
export { startYard, type Yard, type YardOptions, type YardStatus } from './yard.js';
