import type { CommandSpec, OptionSpec } from './command.js';
import { YARD_COMMANDS } from './yard-commands.js';

/** Taken by every command, before or after its name. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', summary: 'results and errors as JSON' },
  { flags: '--yard <name>', summary: 'which yard; default $SWITCHYARD_YARD, else main' },
  { flags: '--socket <path>', summary: 'socket of the yard; default $SWITCHYARD_SOCKET, else from the yard' },
  { flags: '--timeout <time>', summary: 'give up after so long: 500ms, 10s, 2m; default 15s' },
];

const cwd: OptionSpec = { flags: '--cwd <dir>', summary: 'working directory; default the present one' };
const host: OptionSpec = {
  flags: '--host <name>',
  summary: 'on this machine of the yard; any, any:LABEL: the least loaded',
};
const env: OptionSpec = { flags: '--env <name=value>', summary: 'add to its environment; may be repeated', many: true };
const keep: OptionSpec = { flags: '--keep', summary: 'keep the terminal, readable, when its program ends' };
const workspace: OptionSpec = {
  flags: '--workspace <id>',
  summary: 'in this workspace; default the one you are in, else the selected one',
};
const program = [cwd, env, host, keep];

export const COMMANDS: readonly CommandSpec[] = [
  ...YARD_COMMANDS,
  {
    name: 'tree',
    summary: 'windows, workspaces, panes and terminals',
    load: async () => (await import('./commands/tree.js')).tree,
  },
  {
    name: 'new',
    args: '[command...]',
    summary: 'open a terminal as a new tab, or in a new workspace',
    options: [
      ...program,
      workspace,
      { flags: '--pane <id>', summary: 'in this pane' },
      { flags: '--new-workspace', summary: 'in a workspace of its own' },
      { flags: '--title <text>', summary: 'title of the new workspace' },
    ],
    passThrough: true,
    load: async () => (await import('./commands/new.js')).newTerminal,
  },
  {
    name: 'split',
    args: '[command...]',
    summary: 'split a pane and open a terminal in the new half',
    options: [
      {
        flags: '-d, --direction <side>',
        summary: 'on which side',
        choices: ['left', 'right', 'up', 'down'],
        fallback: 'right',
      },
      { flags: '--surface <id>', summary: 'the one to split; default the one you are in, else the focused one' },
      ...program,
    ],
    passThrough: true,
    load: async () => (await import('./commands/split.js')).split,
  },
  {
    name: 'send',
    args: '<surface> [text...]',
    summary: 'type text into a terminal; without text, what standard input holds',
    options: [
      { flags: '-e, --enter', summary: 'press Enter after it' },
      { flags: '-p, --paste', summary: 'paste it: bracketed when the program asked for that' },
    ],
    load: async () => (await import('./commands/send.js')).send,
  },
  {
    name: 'key',
    args: '<surface> <keys...>',
    summary: 'press keys: enter, ctrl-c, shift+tab, pageup, a …',
    load: async () => (await import('./commands/key.js')).key,
  },
  {
    name: 'read',
    args: '[surface]',
    summary: 'the screen of a terminal as text',
    options: [
      { flags: '-s, --scrollback', summary: 'and everything above it' },
      { flags: '-n, --lines <count>', summary: 'only the last so many lines, of screen and scrollback' },
    ],
    load: async () => (await import('./commands/read.js')).read,
  },
  {
    name: 'wait',
    args: '<surface>',
    summary: 'wait until a terminal shows a text, its program has ended, or its agent is in a state',
    details: 'Give one of the three. What is true already ends the wait at once. --timeout is 30s by default.',
    options: [
      { flags: '-t, --text <pattern>', summary: 'a regular expression' },
      { flags: '-x, --exit', summary: 'the end of its program' },
      {
        flags: '-a, --agent-state <state>',
        summary: 'a state of its agent',
        choices: ['idle', 'working', 'blocked', 'any_change'],
      },
    ],
    load: async () => (await import('./commands/wait.js')).wait,
  },
  {
    name: 'run',
    args: '<command...>',
    summary: 'run a command in a terminal of the yard, show its output, exit with its status',
    details: 'The terminal is closed afterwards. The output is what the terminal got, byte for byte.',
    options: [
      ...program.filter((option) => option !== keep),
      workspace,
      { flags: '--keep', summary: 'leave the terminal there afterwards' },
    ],
    passThrough: true,
    load: async () => (await import('./commands/run.js')).run,
  },
  {
    name: 'attach',
    args: '[surface]',
    summary: 'use a terminal of the yard from this one',
    details: 'Survives restarts of the yard. While attached, the terminal has the size of yours.',
    options: [{ flags: '--detach-key <key>', summary: 'key that leaves it', fallback: 'ctrl-]' }],
    load: async () => (await import('./commands/attach.js')).attach,
  },
  {
    name: 'close',
    args: '<surface>',
    summary: 'close a terminal; for five seconds `call surface.reopen` brings it back',
    options: [{ flags: '--now', summary: 'end its program at once, and wait until it is gone' }],
    load: async () => (await import('./commands/close.js')).close,
  },
  {
    name: 'git-status',
    summary: 'what differs in a git worktree: branch, upstream, and the files',
    options: [{ flags: '--surface <id>', summary: 'the worktree a terminal is in; default the one you are in' }],
    load: async () => (await import('./commands/git-status.js')).gitStatus,
  },
  {
    name: 'diff',
    args: '[paths...]',
    summary: 'what has changed in a git worktree, line by line, new files included; secrets are withheld',
    details: 'Compares what is committed with the files, unless told otherwise.',
    options: [
      { flags: '--staged', summary: 'compare what is committed with the index' },
      { flags: '--unstaged', summary: 'compare the index with the files' },
      { flags: '--branch', summary: 'everything since the branch left its base: origin/main, main or master' },
      { flags: '--base <branch>', summary: 'the same with this base' },
      { flags: '--surface <id>', summary: 'the worktree a terminal is in; default the one you are in' },
    ],
    load: async () => (await import('./commands/diff.js')).diff,
  },
  {
    name: 'worktree',
    args: '<action> [what...]',
    summary:
      'worktrees of a git repository: list, create, open, status, attach, merge, remove, recover, doctor, setup or trust',
    details:
      'create BRANCH: a worktree with a workspace; a repeat answers with the same. open PATH-OR-BRANCH: its workspace. status, attach, merge, setup [PATH-OR-BRANCH]: default the one you are in. remove PATH-OR-BRANCH: refuses when it holds what is nowhere else. recover [ID]: what was saved of removed ones. doctor: what is wrong with registrations. trust: allow what .switchyard/worktree.json says now. A path begins with /, . or ~.',
    options: [
      { flags: '--repo <dir>', summary: 'a folder of the repository; default the present one' },
      { flags: '--base <commit>', summary: 'create: where a new branch begins; default HEAD' },
      {
        flags: '--path <dir>',
        summary: 'create, recover: where it goes; default worktrees.directory/REPOSITORY/BRANCH, or where it was',
      },
      { flags: '--layout <name>', summary: 'create: layout of the workspace' },
      { flags: '--title <text>', summary: 'create, open: title of a new workspace; default the branch' },
      { flags: '--no-setup', summary: 'create: leave out what .switchyard/worktree.json says' },
      { flags: '--focus', summary: 'create, open: select the workspace' },
      { flags: '--all', summary: 'open: every worktree that is there' },
      { flags: '--workspace <id>', summary: 'attach: which workspace; default the one you are in' },
      { flags: '--into <branch>', summary: 'merge: the base; default the branch of the main checkout' },
      { flags: '--merge', summary: 'merge: with a merge commit; default only forward' },
      { flags: '--squash', summary: 'merge: all changes as one commit' },
      { flags: '-m, --message <text>', summary: 'merge: of the commit that --merge or --squash makes' },
      { flags: '--committed-only', summary: 'merge: leave out what is not committed' },
      { flags: '-f, --force', summary: 'remove: save what would be lost, then remove' },
      { flags: '--drop', summary: 'recover: delete what was saved under ID, for good' },
      { flags: '--unlock', summary: 'doctor: unlock what is locked' },
      { flags: '--prune', summary: 'doctor: forget registrations without a folder; what they held is kept' },
      { flags: '--relink', summary: 'doctor: tell git where a folder was moved' },
      { flags: '--dry-run', summary: 'remove, trust: only show what would be lost, or allowed' },
      { flags: '--revoke', summary: 'trust: take the permission back' },
    ],
    load: async () => (await import('./commands/worktree.js')).worktree,
  },
  {
    name: 'token',
    args: '<action> [name]',
    summary: 'tokens for programs that may do only a part of what you can: create, list or revoke',
    details:
      'A program with a token in SWITCHYARD_TOKEN connects to guest/gateway.sock in the runtime folder, the only thing a sandbox needs to mount. It is shown once.',
    options: [
      { flags: '--scope <scope>', summary: 'create: read, write (and read), or admin (all)', many: true },
      { flags: '--self <surface>', summary: 'create: only reads and reports of this terminal' },
      { flags: '--workspace <id>', summary: 'create: only in this workspace', many: true },
      { flags: '--host <name>', summary: 'create: only terminals of this host', many: true },
      { flags: '--expires <time>', summary: 'create: ends after 30m, 12h …; default never' },
    ],
    load: async () => (await import('./commands/token.js')).token,
  },
  {
    name: 'host',
    args: '[action] [name]',
    summary:
      'machines of the yard: list, invite, renew, status, drain, undrain, label or remove; on another machine: join',
    details:
      'invite makes a place for a machine and prints its credentials once. On that machine `switchyard host --join URL --creds FILE` runs until it is stopped; terminals are opened on it with --host. See docs/fleet.md.',
    options: [
      { flags: '--join <url>', summary: 'join the yard there, with --creds; runs until it is stopped' },
      { flags: '--creds <file>', summary: 'join: the credentials from its invitation' },
      { flags: '-d, --detach', summary: 'join: in the background' },
      { flags: '--out <file>', summary: 'invite, renew: write the credentials into a new file, for its owner only' },
      { flags: '--label <label>', summary: 'invite, label: a word to choose hosts by', many: true },
      { flags: '--pty-hosts <number>', summary: 'invite: processes there that follow terminals; default 1' },
      { flags: '--detectors', summary: 'invite: let it judge screens of the whole yard, and so see them' },
      { flags: '--force', summary: 'remove: close its terminals first' },
    ],
    load: async () => (await import('./commands/host.js')).host,
  },
  {
    name: 'audit',
    summary: 'who changed what: changes, logins and refused calls, the newest last',
    options: [
      { flags: '-n, --limit <number>', summary: 'the last so many; default 100' },
      { flags: '--method <name>', summary: 'only this method' },
      { flags: '--outcome <code>', summary: 'only this outcome: ok, forbidden …' },
      { flags: '--token <name>', summary: 'only what was done with this token' },
    ],
    load: async () => (await import('./commands/audit.js')).audit,
  },
  {
    name: 'set-status',
    args: '<key> <value...>',
    summary: 'show a line beside a workspace; setting the key again replaces it',
    options: [
      workspace,
      { flags: '--label <text>', summary: 'shown for the key' },
      { flags: '--icon <name>', summary: 'name of an icon, or a character' },
      { flags: '--color <color>', summary: '#rrggbb or a name' },
      { flags: '--url <url>', summary: 'where it leads' },
      { flags: '--priority <number>', summary: 'higher ones come first; default 0' },
      { flags: '--format <format>', summary: 'how the value is meant', choices: ['plain', 'markdown'] },
    ],
    load: async () => (await import('./commands/set-status.js')).setStatus,
  },
  {
    name: 'clear-status',
    args: '[key]',
    summary: 'take a line beside a workspace back, or all of them',
    options: [workspace],
    load: async () => (await import('./commands/set-status.js')).clearStatus,
  },
  {
    name: 'set-progress',
    args: '<value>',
    summary: 'show how far something has come: 0.5, 50% or 12/40',
    options: [
      workspace,
      { flags: '--label <text>', summary: 'what it is about' },
      { flags: '--key <key>', summary: 'where there are several: which of them' },
    ],
    load: async () => (await import('./commands/set-progress.js')).setProgress,
  },
  {
    name: 'clear-progress',
    args: '[key]',
    summary: 'take a progress back, or all of them',
    options: [workspace],
    load: async () => (await import('./commands/set-progress.js')).clearProgress,
  },
  {
    name: 'log',
    args: '[text...]',
    summary: 'add an entry to the log of a workspace; without text, what standard input holds',
    options: [
      workspace,
      {
        flags: '--level <level>',
        summary: 'default info',
        choices: ['info', 'progress', 'success', 'warning', 'error'],
      },
      { flags: '--source <name>', summary: 'who says so' },
      { flags: '--list', summary: 'show the log' },
      { flags: '--clear', summary: 'empty the log' },
    ],
    load: async () => (await import('./commands/workspace-log.js')).workspaceLog,
  },
  {
    name: 'sidebar',
    summary: 'what is shown beside a workspace: branch, ports, progress, lines, blocks and the end of its log',
    options: [workspace],
    load: async () => (await import('./commands/sidebar.js')).sidebar,
  },
  {
    name: 'ports',
    args: '[surface]',
    summary: 'the ports on which the programs of a terminal listen; default of all terminals',
    load: async () => (await import('./commands/ports.js')).ports,
  },
  {
    name: 'notify',
    args: '[text...]',
    summary: 'notify a person about the terminal you are in; without text, what standard input holds',
    details: 'How it is delivered is set in config.toml. A surface has one notification: a new one replaces it.',
    options: [
      { flags: '--title <text>', summary: 'first line; the text is then what follows' },
      { flags: '--subtitle <text>', summary: 'second line' },
      { flags: '--surface <id>', summary: 'about this terminal' },
      { flags: '--workspace <id>', summary: 'about the focused terminal of this workspace' },
    ],
    load: async () => (await import('./commands/notify.js')).notify,
  },
  {
    name: 'notifications',
    args: '[action] [what...]',
    summary: 'what a person was told: list, read, clear, deliveries or level',
    details:
      'list: the newest first, * marks what nobody has read. read [ID…], clear [ID…]: or those of a workspace, or --all. deliveries: what became of them outside of the yard. level [quiet|normal|all|default]: how much of a workspace is delivered.',
    options: [
      { flags: '--unread', summary: 'list: only what nobody has read' },
      { flags: '--workspace <id>', summary: 'only of this workspace; level: default the one you are in' },
      { flags: '--surface <id>', summary: 'read: those of this terminal' },
      { flags: '--all', summary: 'read, clear: all there are' },
      { flags: '--undo', summary: 'read: mark as not read' },
      { flags: '-n, --lines <count>', summary: 'list, deliveries: only so many of the newest' },
      { flags: '--cursor <cursor>', summary: 'list, deliveries: what is older than the page that gave it' },
    ],
    completes: 'notifications',
    load: async () => (await import('./commands/notifications.js')).notifications,
  },
  {
    name: 'agents',
    summary: 'the agents of the yard: where they run, what they do, what they ask',
    load: async () => (await import('./commands/agents.js')).agents,
  },
  {
    name: 'prompt',
    args: '<agent> [text...]',
    summary: 'give an agent a prompt, by its surface or its name; without text, what standard input holds',
    details: 'The text is pasted, entered, and seen to have arrived. Without --wait it returns then.',
    options: [
      { flags: '-w, --wait', summary: 'wait until the turn is over; --timeout is 2m by default' },
      { flags: '-f, --force', summary: 'also while a dialog is open' },
      { flags: '--id <id>', summary: 'write it at most once under this id, however often it is repeated' },
    ],
    load: async () => (await import('./commands/prompt.js')).prompt,
  },
  {
    name: 'start-agent',
    args: '<kind> [args...]',
    summary: 'open a terminal that runs an agent; returns when the agent can be talked to',
    details:
      'A kind is the id of an agent or the name of its command: claude, codex, gemini … --timeout is 30s by default.',
    options: [
      { flags: '--name <name>', summary: 'call it so while it runs' },
      { flags: '--command <program>', summary: 'run this in place of the usual command of its kind' },
      ...program,
      { flags: '--workspace <id>', summary: 'in this workspace; default the selected one' },
      { flags: '--new-workspace', summary: 'in a workspace of its own' },
    ],
    passThrough: true,
    load: async () => (await import('./commands/start-agent.js')).startAgent,
  },
  {
    name: 'review',
    args: '[action] [what...]',
    summary: 'the changes in a worktree, with comments: open, show, refresh, add, list, remove, send or close',
    details:
      'open [SURFACE]: a review of the worktree that a terminal is in. show [FILE…]: the diff, with the comments. add FILE:LINE[-LINE] [TEXT…]: a comment; without text, what standard input holds. send: all comments, to what runs in that terminal. remove ID.',
    options: [
      { flags: '--review <id>', summary: 'which review; default one of the workspace you are in' },
      { flags: '--branch', summary: 'open: everything since the branch left its base, not only what is uncommitted' },
      { flags: '--base <branch>', summary: 'open: the base; default origin/main, main or master' },
      {
        flags: '-d, --direction <side>',
        summary: 'open: on which side; default right',
        choices: ['left', 'right', 'up', 'down'],
      },
      { flags: '--focus', summary: 'open: focus it' },
      { flags: '--preamble <text>', summary: 'send: in place of the first line' },
      { flags: '--force', summary: 'send: also while a dialog is open, or again what may have arrived' },
    ],
    load: async () => (await import('./commands/review.js')).review,
  },
  {
    name: 'status-report',
    args: '<state>',
    summary: 'tell the terminal this runs in how a script is doing: idle, working, done, blocked, error or clear',
    details:
      'Writes an OSC 7501 sequence. Each report replaces the one before; clear takes it back, with all beneath it.',
    options: [
      { flags: '--id <id>', summary: 'of a part of the work, such as build/tests; default the script as a whole' },
      { flags: '--kind <kind>', summary: 'why it is blocked', choices: ['permission', 'question', 'auth'] },
      { flags: '--progress <percent>', summary: 'how far it has come, 0 to 100' },
      { flags: '--app <name>', summary: 'name of the program' },
      { flags: '--title <text>', summary: 'what it works on' },
      { flags: '--msg <text>', summary: 'one line for a person' },
    ],
    load: async () => (await import('./commands/status-report.js')).statusReport,
  },
  {
    name: 'integration',
    args: '<action> [agent]',
    summary: 'make coding agents report their sessions and states: list, status, install or uninstall',
    details:
      'What will be written is said before it is written. Nothing else in the files of an agent is changed, and uninstall gives them back as they were.',
    options: [
      { flags: '--dry-run', summary: 'only show what would be changed, line by line' },
      { flags: '--config-dir <dir>', summary: 'folder of the configuration of the agent; default the usual one' },
    ],
    load: async () => (await import('./commands/integration.js')).integration,
  },
  {
    name: 'agent-detection',
    args: '<action> [what...]',
    summary: 'how agents and their states are told from the screen: list, explain, test or scaffold',
    details:
      'explain [SURFACE]: every rule, what it looked at, why it won or lost. test FILE…: what is made of saved screens and of recordings (asciicast), without a yard. scaffold AGENT: a manifest to begin with.',
    options: [
      { flags: '--file <file>', summary: 'explain: a saved screen, not a terminal' },
      { flags: '--agent <id>', summary: 'explain, test: with the manifest of this agent' },
      { flags: '--title <text>', summary: 'of a saved screen: the title of the terminal' },
      { flags: '--process <name>', summary: 'explain --file, test: name of the foreground program; default not known' },
      { flags: '--write', summary: 'scaffold: into the folder of the configuration, if there is none of the agent' },
    ],
    load: async () => (await import('./commands/agent-detection.js')).agentDetection,
  },
  {
    name: 'layout',
    args: '<action> [name]',
    summary: 'arrangements of a workspace as files: save, apply, list, show or delete',
    details:
      'save NAME: how the workspace you are in is arranged and what runs there. apply NAME: opens it, in a new workspace; exit code 1 when something of it is missing.',
    options: [
      { flags: '--force', summary: 'save: replace a layout of that name' },
      { flags: '--with-env', summary: 'save: also variables that programs were started with; they may be secrets' },
      { flags: '--workspace <id>', summary: 'save: this workspace; apply: in this workspace, which keeps what it has' },
      { flags: '--cwd <dir>', summary: 'apply: where relative directories start; default the present one' },
      { flags: '--title <text>', summary: 'apply: title of the new workspace' },
    ],
    load: async () => (await import('./commands/layout.js')).layout,
  },
  {
    name: 'snapshot',
    args: '<action> [id]',
    summary: 'generations of the whole tree: save, list, restore, rollback or resume',
    details:
      'restore [ID]: adds the windows of one, with new terminals. rollback [ID]: makes the tree what it was, ending nothing; without an id the newest one that differs. resume [shells|commands|agents]: starts what ended with the yard. list also tells what became of the last start.',
    load: async () => (await import('./commands/snapshot.js')).snapshot,
  },
  {
    name: 'import',
    args: '<from> [pane]',
    summary: 'bring the panes of a running tmux server here: each becomes a terminal that shows it and types into it',
    details:
      'tmux: a workspace for each window, a tab for each pane. The panes stay in tmux: closing a tab ends only the view. tmux-pane PANE: what runs in such a tab; in any terminal it shows that pane there.',
    options: [
      { flags: '-L, --server <name>', summary: 'which tmux server, as for tmux itself; default its usual one' },
      { flags: '-S, --server-socket <path>', summary: 'the same by the path of its socket' },
      { flags: '--session <name>', summary: 'tmux: only the windows of this session' },
      { flags: '--dry-run', summary: 'tmux: only list what would be opened' },
    ],
    load: async () => (await import('./commands/import.js')).importPanes,
  },
  {
    name: 'hook',
    args: '<agent> <event>',
    summary: 'what integrations run: tells the yard of an event, whose JSON is read from standard input',
    details: 'Ends within half a second, writes nothing, never fails, and does nothing outside a terminal of a yard.',
    load: async () => (await import('./commands/hook.js')).hook,
  },
  {
    name: 'call',
    args: '<method> [params]',
    summary: 'call any method; params are a JSON object, - reads it from standard input',
    completes: 'methods',
    load: async () => (await import('./commands/call.js')).call,
  },
  {
    name: 'methods',
    args: '[name]',
    summary: 'the methods there are, or one of them in full',
    completes: 'methods',
    load: async () => (await import('./commands/methods.js')).methods,
  },
  {
    name: 'completion',
    args: '<shell>',
    summary: 'completion script for bash, zsh or fish',
    completes: 'shells',
    load: async () => (await import('./commands/completion.js')).completionOf(COMMANDS, GLOBAL_OPTIONS),
  },
];
