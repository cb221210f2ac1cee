import { type AnyMethod, targetsOf } from '@switchyard/protocol';

/** Ids that answers carry of what was made or changed. */
const ANSWERED = ['window_id', 'workspace_id', 'pane_id', 'surface_id'] as const;
const MAX_HANDLE_CHARS = 64;
/** Tokens and worktrees are named by these. */
const NAMES = ['name', 'repo', 'branch', 'path', 'service', 'from'] as const;
const MAX_NAME_CHARS = 512;

/**
 * The things that a call named and an answer returned; never texts that were typed, nor secrets.
 *
 * @param params valid ones, or undefined where they were not
 */
export function targetOf(spec: AnyMethod, params: Params | undefined, result: unknown): Record<string, string> {
  const target: Record<string, string> = {};
  const put = (name: string, value: unknown, longest: number) => {
    if (typeof value === 'string') target[name] = value.slice(0, longest);
    else if (Array.isArray(value)) target[name] = value.join(' ').slice(0, longest);
  };
  const answer = (typeof result === 'object' && result !== null ? result : {}) as Params;
  for (const name of ANSWERED) put(name, answer[name], MAX_HANDLE_CHARS);
  for (const { name } of targetsOf(spec).params) put(name, params?.[name], MAX_HANDLE_CHARS);
  for (const name of NAMES) put(name, params?.[name], MAX_NAME_CHARS);
  return target;
}

type Params = Readonly<Record<string, unknown>>;

/** Every change, every login, and whatever was refused for want of permission. */
export function isAudited(method: string, spec: AnyMethod | undefined, outcome: string): boolean {
  return spec?.effect === 'mutation' || method === 'auth.login' || outcome === 'forbidden';
}
