import type { CommandSpec } from './command.js';

/** Commands about the yard as a whole: its processes, and what happens in it. */
export const YARD_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'up',
    summary: 'start the yard, in the foreground unless told otherwise',
    details: 'In the foreground Ctrl-C stops it, terminals included. A yard whose supervisor was killed is taken over.',
    options: [
      { flags: '-d, --detach', summary: 'start it in the background and return when it is ready' },
      { flags: '--bus <broker>', summary: 'embedded, nats-server, or the nats:// URL of one that runs' },
    ],
    load: async () => (await import('./commands/up.js')).up,
  },
  {
    name: 'down',
    summary: 'stop the yard: services first, then every terminal',
    load: async () => (await import('./commands/down.js')).down,
  },
  {
    name: 'status',
    summary: 'every process of the yard',
    load: async () => (await import('./commands/status.js')).status,
  },
  {
    name: 'upgrade',
    summary: 'replace every process of the yard by one of another installation; terminals run on',
    details:
      'Without --from: by those of the installation this command is of. When one cannot be replaced, the old installation is put back.',
    options: [
      { flags: '--from <folder>', summary: 'the installation: a clone, or where switchyard is installed' },
      { flags: '--expect <version>', summary: 'refuse any other version' },
    ],
    load: async () => (await import('./commands/upgrade.js')).upgrade,
  },
  {
    name: 'restart',
    args: '<service>',
    summary: 'start one process, or all of a kind, afresh; nothing is lost',
    options: [{ flags: '--force', summary: 'also the keeper, which ends every terminal' }],
    completes: 'services',
    load: async () => (await import('./commands/restart.js')).restart,
  },
  {
    name: 'logs',
    args: '[service]',
    summary: 'what the processes logged',
    details:
      'Read from the files, so that it works while nothing runs; where these are not, or with a token, the yard is asked.',
    options: [
      { flags: '-f, --follow', summary: 'go on with what comes' },
      { flags: '-n, --lines <count>', summary: 'so many last lines of each; default 50, with --since all' },
      {
        flags: '--service <name>',
        summary: 'only of this process, or of all of its kind; may be repeated',
        many: true,
      },
      {
        flags: '--level <level>',
        summary: 'only lines as grave as this, and those that do not say',
        choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
      },
      { flags: '--since <time>', summary: 'only from then on: 10m (ago), 2h, or 2026-11-30T22:00' },
    ],
    completes: 'services',
    load: async () => (await import('./commands/logs.js')).logs,
  },
  {
    name: 'top',
    summary: 'what the processes of the yard and the programs in its terminals use: CPU, memory, bytes',
    details:
      'Goes on until Ctrl-C, in a terminal. 100 is all of one core. Of a terminal all its processes are counted.',
    options: [
      { flags: '--once', summary: 'show it once, also in a terminal' },
      { flags: '--interval <time>', summary: 'between two looks', fallback: '2s' },
      { flags: '-n, --lines <count>', summary: 'only so many of the busiest terminals' },
    ],
    load: async () => (await import('./commands/top.js')).top,
  },
  {
    name: 'health',
    summary: 'whether the yard is well: ok, degraded or failing, and why; exit code 1 when it is failing',
    load: async () => (await import('./commands/health.js')).health,
  },
  {
    name: 'events',
    summary: 'what has happened in the yard, and with --follow what happens',
    details:
      'All that is kept, oldest first, unless told otherwise. --follow outlives restarts of the yard and loses nothing.',
    options: [
      { flags: '-f, --follow', summary: 'go on with what comes' },
      { flags: '-n, --lines <count>', summary: 'only so many of the last' },
      { flags: '--kind <kind>', summary: 'only these: workspace.renamed, workspace.*; may be repeated', many: true },
      { flags: '--surface <id>', summary: 'only of this terminal; may be repeated', many: true },
      { flags: '--workspace <id>', summary: 'only of this workspace; may be repeated', many: true },
      { flags: '--since <cursor>', summary: 'only what came after the event with this cursor (see --json)' },
    ],
    load: async () => (await import('./commands/events.js')).events,
  },
  {
    name: 'detector',
    summary: 'judge screens for a yard, from this machine, until Ctrl-C: one more worker beside those of the yard',
    details:
      'Needs the bus file of the yard (bus.json in its runtime folder), which is a secret. Start as many as there are cores to spare.',
    options: [
      { flags: '--creds <file>', summary: 'the bus file of the yard, mode 0600' },
      { flags: '--join <url>', summary: 'where the bus is from here; default what the file says' },
    ],
    load: async () => (await import('./commands/detector.js')).detector,
  },
  {
    name: 'doctor',
    summary: 'look for what keeps a yard from working well',
    load: async () => (await import('./commands/doctor.js')).doctor,
  },
];
