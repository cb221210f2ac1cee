import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { flag, type Options, type Run, text } from '../command.js';
import { type Context, UsageError, YardProblem } from '../context.js';
import { cleanText } from '../domain/clean-text.js';
import { byWindow, PANE_FORMAT, readPanes, type TmuxPane } from '../domain/tmux-panes.js';
import { tmuxEnv } from '../tmux/control-client.js';
import { PaneMirror } from '../tmux/pane-mirror.js';

/** A server answers within milliseconds; a stopped one never. */
const LIST_MS = 10_000;

interface Imported {
  readonly pane: string;
  readonly surface_ref: string | null;
  readonly workspace_ref: string | null;
}

export const importPanes: Run = async (context, [from = '', pane], options) => {
  if (from === 'tmux-pane') return showPane(context, pane ?? '', options);
  if (from !== 'tmux' || pane !== undefined)
    throw new UsageError('import what? Say: import tmux, or import tmux-pane PANE');
  const session = text(options, 'session');
  const panes = (await listPanes(options)).filter((one) => session === undefined || one.session === session);
  if (panes.length === 0) throw new YardProblem('There is no pane to bring here.');
  const rows = panes.map(({ id, title, command, cwd }) => [id, title, command, cwd]);
  if (flag(options, 'dryRun')) {
    context.out.result(panes, () => context.out.table(['PANE', 'WINDOW', 'RUNS', 'IN'], rows));
    return;
  }
  const imported: Imported[] = [];
  for (const window of byWindow(panes)) imported.push(...(await openWindow(context, window)));
  context.out.result(imported, () =>
    imported.map(({ pane: id, surface_ref, workspace_ref }) => `${id} is ${surface_ref} in ${workspace_ref}`),
  );
};

/** A workspace for a window, a tab for each of its panes. */
async function openWindow(context: Context, window: readonly TmuxPane[]): Promise<Imported[]> {
  const [first, ...others] = window;
  if (first === undefined) return [];
  const title = cleanText(first.title);
  const workspace = await context.call('workspace.create', { title, argv: viewOf(first) });
  const { workspace_id, workspace_ref, surface_ref } = workspace;
  const imported: Imported[] = [{ pane: first.id, surface_ref: surface_ref ?? null, workspace_ref }];
  for (const pane of others) {
    const surface = await context.call('surface.create', { workspace_id, argv: viewOf(pane) });
    imported.push({ pane: pane.id, surface_ref: surface.surface_ref, workspace_ref });
  }
  return imported;
}

const viewOf = ({ id, socket }: TmuxPane): string[] => [
  process.execPath,
  fileURLToPath(new URL('../main.js', import.meta.url)),
  'import',
  '--server-socket',
  socket,
  'tmux-pane',
  id,
];

/** In the terminal that this runs in, until the pane is gone. */
async function showPane(context: Context, pane: string, options: Options): Promise<undefined> {
  const { stdin, stdout } = process;
  const found = (await listPanes(options)).find(({ id }) => id === pane);
  if (found === undefined)
    throw new UsageError(`there is no pane ${JSON.stringify(pane)}; see: sy import tmux --dry-run`);
  const mirror = new PaneMirror({
    socket: found.socket,
    pane,
    input: stdin,
    output: stdout,
    onSize: (cols, rows) => takeSize(context, cols, rows),
  });
  if (stdin.isTTY) stdin.setRawMode(true);
  // Until the program of the pane names it itself.
  if (stdout.isTTY) stdout.write(`\x1b]2;${cleanText(`${found.title} ${pane}`)}\x07`);
  stdin.once('end', () => mirror.close());
  try {
    await mirror.run();
  } catch (error) {
    throw new YardProblem(error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
  }
  return undefined;
}

/** A terminal of the yard gets the size of the pane; another one keeps its own, and shows what fits. */
async function takeSize(context: Context, cols: number, rows: number): Promise<void> {
  const surface_id = context.callerSurface;
  if (surface_id === undefined) return;
  try {
    await context.call('surface.resize', { surface_id, cols, rows });
  } catch (error) {
    context.out.note(`This terminal keeps its size: ${error instanceof Error ? error.message : String(error)}\r`);
  }
}

async function listPanes(options: Options): Promise<TmuxPane[]> {
  const [name, path] = [text(options, 'server'), text(options, 'serverSocket')];
  const server = path !== undefined ? ['-S', path] : name !== undefined ? ['-L', name] : [];
  // Without a name the server that we may run in is meant.
  const env = server.length === 0 ? process.env : tmuxEnv();
  try {
    const args = [...server, 'list-panes', '-a', '-F', PANE_FORMAT];
    const { stdout } = await promisify(execFile)('tmux', args, { env, encoding: 'utf8', timeout: LIST_MS });
    return readPanes(stdout);
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    const why = code === 'ENOENT' ? 'tmux is not installed.' : stderr?.trim() || String(error);
    throw new YardProblem(why, { cause: error });
  }
}
