import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DetachedReport, YardOptions } from '@switchyard/supervisor';
import { flag, type Run, text } from '../command.js';
import { type Context, YardProblem } from '../context.js';
import { EXIT } from '../domain/exit-codes.js';
import { statusLines } from '../status-lines.js';

export const up: Run = async (context, _, options) => {
  const { yard, socket } = context.globals;
  const wanted: YardOptions = { yard, socket, broker: text(options, 'bus') };
  return bringUp(context, wanted, flag(options, 'detach'));
};

/** Starts a yard, or this machine's part in another, and stays with it unless it goes to the background. */
export function bringUp(context: Context, wanted: YardOptions, detach: boolean): Promise<number> {
  return detach ? inBackground(context, wanted) : inForeground(context, wanted);
}

async function inForeground({ out, env }: Context, wanted: YardOptions): Promise<number> {
  const { onStopSignal, openYard } = await import('@switchyard/supervisor');
  const { supervisor, paths } = await asProblem(async () => openYard(wanted, env));
  const asked = onStopSignal((again) => {
    out.note(again ? 'Forcing.' : '\nStopping the yard and its terminals … (again to force)');
    supervisor.stop().catch((error: Error) => out.note(error.message));
  });
  out.note(wanted.join === undefined ? `Starting yard ${paths.yard} …` : `Joining as ${paths.yard} …`);
  const late = await asProblem(() => supervisor.start());
  if (!asked())
    out.result(supervisor.status(), (status) => [
      ...statusLines(out, status),
      '',
      ...(wanted.join === undefined ? nextSteps(late) : joinedSteps(late, paths.yard)),
    ]);
  await supervisor.stopped;
  out.note('The yard is down.');
  return EXIT.ok;
}

/** What keeps a yard from starting is said in a sentence: it is the user's to correct. */
async function asProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new YardProblem(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function nextSteps(late: readonly string[]): string[] {
  const warnings = late.map((name) => `${name} is not ready yet; look with: sy logs ${name}`);
  return [
    ...warnings,
    'In another terminal (sy is short for switchyard; from a clone: node apps/cli/dist/main.js):',
    '  sy new -- htop        open a terminal for a program',
    '  sy tree               see what there is',
    '  sy attach surface:1   use a terminal from yours, ctrl-] leaves it',
    '  sy run -- make test   run a command, see its output, get its status',
    'Ctrl-C stops the yard and its terminals.',
  ];
}

function joinedSteps(late: readonly string[], yard: string): string[] {
  return [
    ...late.map((name) => `${name} could not be reached yet; it is tried on.`),
    'Terminals are opened here from the yard: sy new --host NAME',
    `Ctrl-C ends them, and leaves the yard. Look at this machine's part with: sy --yard ${yard} status`,
  ];
}

async function inBackground({ out, env }: Context, wanted: YardOptions): Promise<number> {
  const program = fileURLToPath(import.meta.resolve('@switchyard/supervisor/main'));
  const child = fork(program, { detached: true, stdio: 'ignore', cwd: '/', env, execArgv: [] });
  const ended = once(child, 'exit').then(() => [{ ok: false, error: 'the supervisor ended at once' }]);
  child.send(wanted);
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [DetachedReport];
  if (child.connected) child.disconnect();
  child.unref();
  if (!report.ok && report.running === undefined) throw new YardProblem(report.error);
  const pid = report.ok ? report.pid : report.running;
  const late = report.ok ? report.late : [];
  out.result({ pid, already_running: !report.ok, late }, () => [
    report.ok ? `The yard is up (supervisor pid ${pid}).` : `The yard is running already (supervisor pid ${pid}).`,
    ...late.map((name) => `${name} is not ready yet; look with: sy logs ${name}`),
  ]);
  return late.includes('gateway') ? EXIT.unavailable : EXIT.ok;
}
