import { type AnyMethod, fail, SwitchyardError, type TargetKind, targetsOf } from '@switchyard/protocol';
import { type Grant, isConfined } from './grant.js';

export interface NamedThing {
  readonly kind: TargetKind;
  readonly handle: string;
}

/** Where a thing is; what does not apply to its kind is null. */
export interface PlaceOfThing {
  readonly id: string;
  readonly workspace_id: string | null;
  readonly surface_id: string | null;
  readonly host: string | null;
}

/** What has to be known of the tree before a confined caller's call may go on. */
export interface Question {
  readonly things: readonly NamedThing[];
  /** @returns the parameters with ids in place of handles. @throws `forbidden`, `not_found` */
  decide(places: readonly (PlaceOfThing | null)[]): Params;
}

/** Finds things in the tree; null for what is not there. */
export type Locate = (things: readonly NamedThing[]) => Promise<readonly (PlaceOfThing | null)[]>;

type Params = Record<string, unknown>;

const RANK = { none: 0, read: 1, write: 2, admin: 3 } as const;

/**
 * Whether a grant allows a call. The contract alone decides: the scope of the method, whether it serves a surface
 * itself, and which of its parameters name things.
 *
 * @param params valid ones
 * @returns undefined: it does, as it is; else what is to be found out first
 * @throws SwitchyardError `forbidden`, whose `data.missing` names what the grant lacks
 */
export function permission(spec: AnyMethod, params: Params, grant: Grant): Question | undefined {
  if (spec.scope === 'none') return undefined;
  if (!hasScope(spec, grant)) throw forbidden(`It needs the scope ${spec.scope}.`, [spec.scope]);
  if (!isConfined(grant)) return undefined;
  const { params: targets, picks } = targetsOf(spec);
  const picked = picks.find((name) => params[name] !== undefined);
  if (picked !== undefined) throw outside(`Name the thing by its handle: \`${picked}\` reaches all of the yard.`);
  if (spec.focusIntent) throw outside('It moves what people look at.');
  const complete = withDefaults(spec, params, grant);
  const named = targets.flatMap(({ name, kind }) => handlesIn(complete[name]).map((handle) => ({ kind, handle })));
  if (named.length === 0) {
    const names = targets.map(({ name }) => `\`${name}\``).join(', ');
    throw outside(names ? `Name the thing: ${names}.` : 'It concerns all of the yard.');
  }
  const own = grant.surfaceId === null ? [] : [{ kind: 'surface', handle: grant.surfaceId } as const];
  const things = [...named, ...own];
  return {
    things,
    decide: (places) => {
      const found = places.map((place, i) => place ?? absent(things[i]));
      const reach = { ...grant, ownWorkspaceId: own.length > 0 ? (found.at(-1)?.workspace_id ?? null) : null };
      if (!found.every((place, i) => isWithin(place, things[i]?.kind, reach)) || !isPinned(found, grant)) {
        throw outside('It reaches beyond what the caller is confined to.');
      }
      const idOf = new Map(found.map((place, i) => [things[i]?.handle, place.id]));
      return withIds(spec, complete, idOf);
    },
  };
}

/** A grant, and the workspace in which its surface is now. */
type Reach = Grant & { readonly ownWorkspaceId: string | null };

function hasScope({ scope, selfService }: AnyMethod, { scopes }: Grant): boolean {
  if (selfService && scopes.includes('self')) return true;
  return scopes.some((granted) => granted !== 'self' && RANK[granted] >= RANK[scope]);
}

/** What a confined caller leaves out is its own; nobody else's focus counts. */
function withDefaults(spec: AnyMethod, params: Params, { surfaceId, workspaceIds }: Grant): Params {
  const has = (name: string) => Object.hasOwn(spec.params.properties, name);
  if (surfaceId !== null && has('surface_id')) return { surface_id: surfaceId, ...params };
  const names = targetsOf(spec).params.some(({ name }) => params[name] !== undefined);
  const [only, another] = workspaceIds ?? [];
  if (names || only === undefined || another !== undefined || !has('workspace_id')) return params;
  return { ...params, workspace_id: only };
}

function isWithin(place: PlaceOfThing, kind: TargetKind | undefined, reach: Reach): boolean {
  if (kind === 'window') return false; // Others' workspaces are in it.
  if (reach.surfaceId !== null) {
    return kind === 'workspace' ? place.id === reach.ownWorkspaceId : place.surface_id === reach.surfaceId;
  }
  if (reach.workspaceIds !== null && !reach.workspaceIds.includes(place.workspace_id ?? '')) return false;
  return reach.hosts === null || place.surface_id === null || reach.hosts.includes(place.host ?? '');
}

/** Workspaces and panes may hold surfaces of several hosts: they do not say alone what is acted on. */
function isPinned(places: readonly PlaceOfThing[], { hosts }: Grant): boolean {
  return hosts === null || places.some((place) => place.surface_id !== null);
}

function withIds(spec: AnyMethod, params: Params, idOf: ReadonlyMap<string | undefined, string>): Params {
  const named = targetsOf(spec).params.filter(({ name }) => params[name] !== undefined);
  const resolved = named.map(({ name, many }) => {
    const ids = handlesIn(params[name]).map((handle) => idOf.get(handle));
    return [name, many ? ids : ids[0]];
  });
  return { ...params, ...Object.fromEntries(resolved) };
}

function handlesIn(value: unknown): string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

function absent(thing: NamedThing | undefined): never {
  return fail('not_found', `There is no ${thing?.kind} ${thing?.handle}.`, { [`${thing?.kind}_id`]: thing?.handle });
}

const outside = (why: string) => forbidden(why, ['yard']);

function forbidden(why: string, missing: readonly string[]): SwitchyardError {
  return new SwitchyardError('forbidden', why, { missing });
}
