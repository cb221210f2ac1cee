import { fail } from '@switchyard/protocol';
import type { Id, RefKind } from './entities.js';
import type { Model } from './model.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const REF = /^(window|workspace|pane|surface|tab):([1-9]\d{0,8})$/;

/**
 * What a handle parameter says (programa-api §2.4). `unreadable`: neither an id nor a ref; most optional parameters
 * then count as absent. `unknown`: well formed, but nothing of that kind has it.
 */
export type Handle = { readonly is: 'absent' | 'unreadable' | 'unknown' } | { readonly is: 'known'; readonly id: Id };

/** Canonical form of a UUID in any case; undefined if it is none. */
export function canonicalId(text: string): Id | undefined {
  const trimmed = text.trim();
  return UUID.test(trimmed) ? trimmed.toUpperCase() : undefined;
}

export const formatRef = (kind: RefKind | 'tab', ref: number): string => `${kind}:${ref}`;

/** Number of a ref of this kind; `tab:N` names a surface. null: a ref of another kind. */
function refNumber(kind: RefKind, text: string): number | null | undefined {
  const match = REF.exec(text.trim().toLowerCase());
  if (!match) return undefined;
  const named = match[1] === 'tab' ? 'surface' : match[1];
  return named === kind ? Number(match[2]) : null;
}

const tableOf = (model: Model, kind: RefKind) => {
  if (kind === 'window') return model.windows;
  if (kind === 'workspace') return model.workspaces;
  return kind === 'pane' ? model.panes : model.surfaces;
};

/** Reads a handle of a live thing. A ref of another kind is `unknown`: it cannot have been meant as absent. */
export function readHandle(model: Model, kind: RefKind, text: string | undefined): Handle {
  if (text === undefined || text.trim() === '') return { is: 'absent' };
  const table = tableOf(model, kind);
  const uuid = canonicalId(text);
  if (uuid !== undefined) return table.has(uuid) ? { is: 'known', id: uuid } : { is: 'unknown' };
  const ref = refNumber(kind, text);
  if (ref === undefined) return { is: 'unreadable' };
  const id = ref === null ? undefined : table.idOfRef(ref);
  return id === undefined ? { is: 'unknown' } : { is: 'known', id };
}

/** A closed surface by the same grammar. Linear in the few that are kept. */
export function readClosedHandle(model: Model, text: string | undefined): Id | undefined {
  if (text === undefined) return undefined;
  const uuid = canonicalId(text);
  if (uuid !== undefined) return model.closed.has(uuid) ? uuid : undefined;
  const ref = refNumber('surface', text);
  if (ref === undefined || ref === null) return undefined;
  for (const row of model.closed.values()) if (row.surface.ref === ref) return row.id;
  return undefined;
}

/** An optional handle: unreadable counts as absent. @throws `not_found` when it names nothing */
export function optionalId(model: Model, kind: RefKind, text: string | undefined, name = `${kind}_id`): Id | undefined {
  const handle = readHandle(model, kind, text);
  if (handle.is === 'unknown') return missing(kind, text, name);
  return handle.is === 'known' ? handle.id : undefined;
}

/** A required handle. @throws `invalid_params` when absent or unreadable, `not_found` when it names nothing */
export function requiredId(model: Model, kind: RefKind, text: string | undefined, name = `${kind}_id`): Id {
  return (
    optionalId(model, kind, text, name) ?? fail('invalid_params', `Missing or invalid ${name}`, { parameter: name })
  );
}

function missing(kind: RefKind, text: string | undefined, name: string): never {
  const label = kind === 'surface' ? 'Surface' : `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return fail('not_found', `${label} not found`, { [name]: text });
}
