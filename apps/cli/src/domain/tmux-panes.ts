/** A pane of a tmux server. */
export interface TmuxPane {
  /** `%3` */
  readonly id: string;
  readonly socket: string;
  readonly session: string;
  /** `session:window name` */
  readonly title: string;
  readonly window: string;
  /** What runs in it, as tmux says. */
  readonly command: string;
  readonly cwd: string;
}

const FIELDS = [
  'pane_id',
  'window_id',
  'socket_path',
  'session_name',
  'window_name',
  'pane_current_command',
  'pane_current_path',
];
/** No name holds one: tmux replaces control characters. */
const SEPARATOR = '\t';

/** For `tmux list-panes -F`. */
export const PANE_FORMAT = FIELDS.map((field) => `#{${field}}`).join(SEPARATOR);

/** @param text what `tmux list-panes -a -F` printed with {@link PANE_FORMAT} */
export function readPanes(text: string): TmuxPane[] {
  const seen = new Set<string>();
  return text.split('\n').flatMap((line) => {
    const [id = '', window = '', socket = '', session = '', name = '', command = '', cwd = ''] = line.split(SEPARATOR);
    // A window that is linked into several sessions is listed once for each.
    if (!/^%\d+$/.test(id) || seen.has(id)) return [];
    seen.add(id);
    return { id, socket, session, title: `${session}:${name}`, window, command, cwd };
  });
}

/** The panes of each window, in the order of tmux. */
export function byWindow(panes: readonly TmuxPane[]): TmuxPane[][] {
  const windows = new Map<string, TmuxPane[]>();
  for (const pane of panes) windows.set(pane.window, [...(windows.get(pane.window) ?? []), pane]);
  return [...windows.values()];
}
