import type { Params, Result } from '@switchyard/protocol';
import { list as many, type Options, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { parseDuration, showDuration } from '../domain/duration.js';

type Token = Result<'token.list'>['tokens'][number];
type Action = (context: Context, name: string | undefined, options: Options) => Promise<void>;

const HEADING = ['NAME', 'MAY', 'WHERE', 'ENDS', 'CLIENTS'];

/** What `sy token` can do, by the first argument. */
const ACTIONS: Readonly<Record<string, Action>> = { create, list, revoke };

export const token: Run = async (context, [action = '', name], options) => {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run === undefined) throw new UsageError(`say one of ${Object.keys(ACTIONS).join(', ')}`);
  await run(context, name, options);
  return undefined;
};

async function create(context: Context, name: string | undefined, options: Options): Promise<void> {
  const made = await context.call('token.create', paramsOf(named(name), options));
  context.out.result(made, () => made.token);
  if (!context.out.asJson) context.out.note(`Shown this once. Clients find it in SWITCHYARD_TOKEN.`);
}

function paramsOf(name: string, options: Options): Params<'token.create'> {
  const [scopes, workspace_ids, hosts] = [many(options, 'scope'), many(options, 'workspace'), many(options, 'host')];
  const surface_id = text(options, 'self');
  const expires = text(options, 'expires');
  const ms = expires === undefined ? undefined : parseDuration(expires);
  if (expires !== undefined && ms === undefined) throw new UsageError(`${expires} is no time: say 30m, 12h, 600s`);
  if (scopes.length === 0 && surface_id === undefined) throw new UsageError('say what it allows: --scope or --self');
  return {
    name,
    scopes: surface_id === undefined ? [...scopes] : ['self', ...scopes],
    ...(surface_id !== undefined && { surface_id }),
    ...(workspace_ids.length > 0 && { workspace_ids: [...workspace_ids] }),
    ...(hosts.length > 0 && { hosts: [...hosts] }),
    ...(ms !== undefined && { expires_in_s: Math.max(1, Math.round(ms / 1000)) }),
  };
}

async function list(context: Context): Promise<void> {
  const { out } = context;
  const now = Date.now();
  out.result(await context.call('token.list', {}), ({ tokens }) =>
    tokens.length === 0
      ? ['There are no tokens.']
      : out.table(
          HEADING,
          tokens.map((row) => rowOf(row, now)),
        ),
  );
}

function rowOf({ name, scopes, expires_at, connections, ...limits }: Token, now: number): string[] {
  const where = [limits.surface_id, ...(limits.workspace_ids ?? []), ...(limits.hosts ?? [])].filter(
    (id) => id !== null,
  );
  return [
    name,
    scopes.join(', '),
    where.join(', ') || 'everywhere',
    expires_at === null ? 'never' : `in ${showDuration(Math.max(0, expires_at - now))}`,
    String(connections),
  ];
}

async function revoke(context: Context, name: string | undefined): Promise<void> {
  const done = await context.call('token.revoke', { name: named(name) });
  context.out.result(done, ({ revoked }) => (revoked ? `${name} has ended.` : `There is no token ${name}.`));
}

function named(name: string | undefined): string {
  if (name === undefined) throw new UsageError('say the name of the token');
  return name;
}
