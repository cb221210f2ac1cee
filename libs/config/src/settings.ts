import { type Static, Type } from 'typebox';

const group = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false, default: {} });
const int = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description });
const MiB = 1024 * 1024;

/**
 * Everything a user can set, with its default, bounds and reason. `config.toml` is read against this;
 * the published schema and docs/settings.md are generated from it.
 */
export const Settings = Type.Object(
  {
    gateway: group({
      access_mode: Type.Enum(['off', 'descendants', 'same-user', 'password'], {
        default: 'same-user',
        description:
          'off: nobody. descendants: what was started in a terminal of the yard. same-user: any process of this user. password: auth.login first.',
      }),
      password_file: Type.String({ default: '', description: 'File (0600) whose first line is the password.' }),
      max_connections: int(1024, 1, 65_536, 'Clients at once; a further one is told and closed.'),
      max_in_flight: int(
        1024,
        1,
        65_536,
        'Requests at once on one connection; further ones are read later. Waits count apart; a further one answers overloaded.',
      ),
      outbox_bytes: int(
        128 * MiB,
        MiB,
        4096 * MiB,
        'Replies waiting for a client that does not read; then it is closed.',
      ),
      request_limit_bytes: int(8 * MiB, 1024, 1024 * MiB, 'One request line.'),
      reply_limit_bytes: int(64 * MiB, 64 * 1024, 1024 * MiB, 'One reply line; above it: response_too_large.'),
      restart_grace_ms: int(3000, 0, 600_000, 'How long a request waits for a service that is restarting.'),
    }),
    terminal: group({
      shell: Type.String({ default: '', description: 'Program of a plain terminal; empty: $SHELL, else /bin/sh.' }),
      scrollback_lines: int(10_000, 0, 1_000_000, 'Lines kept in the parsed screen above the visible ones.'),
      log_budget_bytes: int(16 * MiB, 64 * 1024, 65_536 * MiB, 'Output kept per surface; older segments are removed.'),
      all_logs_budget_bytes: int(
        8192 * MiB,
        MiB,
        65_536 * 1024 * MiB,
        'Output kept of all surfaces together; then the oldest of the largest is removed.',
      ),
      log_place: Type.Enum(['state', 'runtime'], {
        default: 'state',
        description: 'state: on disk, survives a reboot. runtime: in the runtime folder (memory) only.',
      }),
      input_queue_bytes: int(MiB, 4096, 1024 * MiB, 'Input waiting for a program that does not read.'),
      close_undo_ms: int(5000, 0, 3_600_000, 'How long a closed terminal can be reopened with its process.'),
      hangup_grace_ms: int(500, 0, 60_000, 'From HUP to TERM when a terminal is closed.'),
      term_grace_ms: int(2000, 0, 60_000, 'From TERM to KILL.'),
      checkpoint_bytes: int(2 * MiB, 64 * 1024, 1024 * MiB, 'Output parsed between two checkpoints of a screen.'),
    }),
    screens: group({
      hibernate_after_ms: int(
        10_000,
        0,
        86_400_000,
        'How long a terminal has not printed and nobody has asked for its screen until its lines are packed in memory, to a tenth or so. Nothing that can be seen of it becomes another. 0: never.',
      ),
      awake_budget_bytes: int(
        16 * MiB,
        0,
        65_536 * MiB,
        'Memory of the screens that are not packed, of each pty-host: above it those that have been silent for longest are packed sooner, down to half a second.',
      ),
    }),
    layout: group({
      pane_cap: int(64, 1, 1024, 'Panes in one workspace. The peer has 4 (see compat.programa).'),
      new_workspace: Type.Enum(['top', 'after-current', 'end'], {
        default: 'after-current',
        description: 'Where a new workspace goes.',
      }),
      columns: int(200, 20, 1000, 'Width of a workspace that no client has sized, in cells.'),
      rows: int(50, 5, 1000, 'Height, in cells.'),
    }),
    restore: group({
      policy: Type.Enum(['ask', 'shells', 'commands', 'agents'], {
        default: 'shells',
        description:
          'What is started again by itself of terminals that ended with the yard (a reboot, `sy down`, the loss of the keeper). ask: nothing; `sy snapshot resume` does. shells: shells in their last directory. commands: programs, and commands of layouts, too. agents: agents too, with their conversation.',
      }),
    }),
    sidebar: group({
      log_entries: int(50, 1, 500, 'Entries that the log beside a workspace keeps.'),
    }),
    compat: group({
      programa: Type.Boolean({
        default: false,
        description: "Set the peer's environment names in terminals, read its folders, and cap panes at 4.",
      }),
    }),
    services: group({
      pty_hosts: int(1, 1, 64, 'pty-host processes that share the keeper of this host.'),
      detectors: int(1, 0, 64, 'Detector workers; 0: only those that were started elsewhere.'),
    }),
    agents: group({
      detection: Type.Boolean({
        default: true,
        description: 'Tell agents and their states from screens. Off: only from what they report themselves.',
      }),
    }),
    worktrees: group({
      directory: Type.String({
        default: '',
        description:
          'Where worktrees go that name no place, below it repository/branch; empty: ~/.switchyard/worktrees, with compat.programa ~/.programa/worktrees.',
      }),
    }),
    git: group({
      pull_requests: Type.Boolean({
        default: false,
        description:
          'Ask GitHub (with `gh`, if it is installed and logged in) for the pull request of the branch of each workspace. Off: nothing of a yard uses the network by itself.',
      }),
    }),
    notifications: group({
      level: Type.Enum(['quiet', 'normal', 'all'], {
        default: 'normal',
        description:
          'What is delivered of a workspace that says nothing itself (`sy notifications level`). quiet: nothing, it is only listed. normal: all but bells. all: bells too.',
      }),
      desktop: Type.Boolean({
        default: false,
        description: 'Deliver to the desktop, with notify-send or osascript.',
      }),
      command: Type.Array(Type.String(), {
        default: [],
        description: 'Program and arguments that get each notification as JSON on standard input; no shell.',
      }),
      webhook_url: Type.String({
        default: '',
        pattern: '^(https?://[^\\s]+)?$',
        description: 'Where each notification is sent to with POST, signed.',
      }),
      webhook_secret_file: Type.String({
        default: '',
        description:
          'File (0600) whose first line is the secret that signs; empty: webhook.secret in the state folder, made when there is none.',
      }),
      file: Type.String({ default: '', description: 'File that each notification is added to, as a line of JSON.' }),
      clipboard: Type.Enum(['keep', 'size', 'off'], {
        default: 'keep',
        description:
          'When a program writes to the clipboard (OSC 52), which is never done: keep: an event with the text, up to 8 KiB. size: an event without it. off: no event.',
      }),
    }),
    bus: group({
      broker: Type.String({
        default: 'auto',
        description:
          'auto (nats-server when on PATH, else embedded), embedded, nats-server, or a nats:// URL; of a cluster those of its nodes, with commas between them.',
      }),
    }),
    fleet: group({
      listen: Type.String({
        default: '',
        pattern: '^((\\[[0-9a-fA-F:.]+\\]|[^\\s:/\\[\\]]+):[0-9]{1,5})?$',
        description:
          'ADDRESS:PORT where other machines of the fleet connect, always with TLS and keys of their own: 0.0.0.0:7422. Needs nats-server. Empty: none can.',
      }),
      names: Type.Array(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9.:-]{0,252}$' }), {
        default: [],
        description:
          'DNS names and addresses by which other machines reach this one; they stand in its certificate and in invitations. None: the name of this machine.',
      }),
    }),
    metrics: group({
      port: int(0, 0, 65_535, 'Port on loopback that answers `GET /metrics` in the text form of Prometheus; 0: none.'),
    }),
    log: group({
      level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error'], {
        default: 'info',
        description: 'Of our own logs.',
      }),
    }),
  },
  { additionalProperties: false, $id: 'switchyard-settings', title: 'Switchyard settings (config.toml)' },
);
export type Settings = Static<typeof Settings>;
