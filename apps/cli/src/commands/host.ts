import { writeFileSync } from 'node:fs';
import type { Result } from '@switchyard/protocol';
import { flag, list as many, type Options, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { showDuration } from '../domain/duration.js';

type Host = Result<'host.get'>;
type Action = (context: Context, name: string, options: Options) => Promise<void>;

const HEADING = ['HOST', 'STATE', 'FOR', 'LOAD', 'TERMINALS', 'LABELS', 'VERSION'];
const OWNER_ONLY = 0o600;

/** What `sy host` can do with a machine, by the first argument. */
const ACTIONS: Readonly<Record<string, Action>> = { invite, renew, status, label, drain, undrain, remove };

export const host: Run = async (context, [action = 'list', name], options) => {
  if (text(options, 'join') !== undefined || action === 'join') {
    const { join } = await import('./host-join.js');
    return join(context, options);
  }
  if (action === 'list') {
    await list(context);
    return undefined;
  }
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run === undefined) throw new UsageError(`say one of list, join, ${Object.keys(ACTIONS).join(', ')}`);
  if (name === undefined) throw new UsageError('say the name of the host');
  await run(context, name, options);
  return undefined;
};

async function list(context: Context): Promise<void> {
  const { out } = context;
  const now = Date.now();
  out.result(await context.call('host.list', {}), ({ hosts }) =>
    out.table(
      HEADING,
      hosts.map((one) => rowOf(one, now)),
    ),
  );
}

function rowOf({ host: name, state, since, load, terminals, labels, version }: Host, now: number): string[] {
  return [
    name,
    state,
    since === 0 ? '' : showDuration(Math.max(0, now - since)),
    load === null ? '' : `${load.load_1m.toFixed(1)} of ${load.cpus}`,
    String(terminals),
    labels.join(', '),
    version ?? '',
  ];
}

async function invite(context: Context, name: string, options: Options): Promise<void> {
  const labels = many(options, 'label');
  const ptyHosts = text(options, 'ptyHosts');
  const made = await context.call('host.add', {
    host: name,
    ...(labels.length > 0 && { labels: [...labels] }),
    ...(ptyHosts !== undefined && { pty_hosts: Number(ptyHosts) }),
    ...(flag(options, 'detectors') && { detectors: true }),
  });
  handOver(context, made, options);
}

async function renew(context: Context, name: string, options: Options): Promise<void> {
  handOver(context, await context.call('host.renew', { host: name }), options);
}

function handOver(context: Context, made: Result<'host.add'>, options: Options): void {
  const name = made.host;
  const file = text(options, 'out');
  const secret = `${JSON.stringify(made.credentials, null, 2)}\n`;
  if (file === undefined) {
    context.out.result(made, () => secret.trimEnd());
    if (!context.out.asJson)
      context.out.note('Shown this once. Put it into a file there that only you can read, then:');
  } else {
    writeFileSync(file, secret, { mode: OWNER_ONLY, flag: 'wx' });
    context.out.result({ ...made, credentials: file }, () => `The credentials of ${name} are in ${file}.`);
    if (!context.out.asJson) context.out.note('Bring the file to that machine, then, there:');
  }
  if (!context.out.asJson) context.out.note(`  switchyard host --join ${made.credentials.urls[0]} --creds FILE`);
}

async function status(context: Context, name: string): Promise<void> {
  const asked = await context.call('host.status', { host: name });
  context.out.result(asked, (one) => [
    `${one.host} is ${one.state}, answers in ${one.answers_ms.toFixed(1)} ms`,
    `${one.terminals} terminals, ${one.platform ?? 'unknown platform'}, Switchyard ${one.version ?? '?'}`,
  ]);
}

async function label(context: Context, name: string, options: Options): Promise<void> {
  const labelled = await context.call('host.label', { host: name, labels: [...many(options, 'label')] });
  context.out.result(labelled, ({ labels }) => `${name}: ${labels.join(', ') || 'no labels'}`);
}

async function drain(context: Context, name: string): Promise<void> {
  const drained = await context.call('host.drain', { host: name });
  context.out.result(drained, ({ terminals }) => `${name} takes no new terminals; ${terminals} run on.`);
}

async function undrain(context: Context, name: string): Promise<void> {
  context.out.result(
    await context.call('host.drain', { host: name, off: true }),
    () => `${name} takes terminals again.`,
  );
}

async function remove(context: Context, name: string, options: Options): Promise<void> {
  const done = await context.call('host.remove', { host: name, ...(flag(options, 'force') && { force: true }) });
  context.out.result(done, ({ removed }) =>
    removed ? `${name} is removed.` : `${name} goes when its last terminal has ended: say it again then.`,
  );
}
