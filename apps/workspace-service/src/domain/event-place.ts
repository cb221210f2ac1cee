import { fail } from '@switchyard/protocol';
import type { Id, RefKind } from './entities.js';
import { canonicalId, readClosedHandle, readHandle } from './handles.js';
import type { Model } from './model.js';

/**
 * The surfaces or workspaces that a filter of events names.
 *
 * @param past whether it looks back: then an id may be of something that is gone
 * @throws `invalid_params` for what is no handle, `not_found` for what does not exist
 */
export function namedIn(
  model: Model,
  kind: RefKind & ('surface' | 'workspace'),
  texts: readonly string[] | undefined,
  past: boolean,
): Id[] | undefined {
  return texts?.map((text) => named(model, kind, text, past));
}

function named(model: Model, kind: 'surface' | 'workspace', text: string, past: boolean): Id {
  const handle = readHandle(model, kind, text);
  if (handle.is === 'known') return handle.id;
  const name = `${kind}s`;
  if (handle.is !== 'unknown') return fail('invalid_params', `Missing or invalid ${name}`, { path: name, value: text });
  const gone = past ? (canonicalId(text) ?? readClosedHandle(model, text)) : undefined;
  return gone ?? fail('not_found', `There is no such ${kind}`, { [`${kind}_id`]: text });
}
