import { fail, type Result } from '@switchyard/protocol';

type SurfaceList = Result<'surface.list'>;
type Row = SurfaceList['surfaces'][number];

/** Where a notification belongs. */
export type Target = Pick<SurfaceList, 'window_id' | 'window_ref' | 'workspace_id' | 'workspace_ref'> & {
  readonly surface_id: string;
  readonly surface_ref: string;
  /** What a person has named the surface, or null. */
  readonly customTitle: string | null;
};

/**
 * Picks the surface that is meant from the surfaces of its workspace.
 * @param asked an id in any case, or a ref (`surface:3`, `tab:3`); undefined: the focused one
 * @throws SwitchyardError `not_found`
 */
export function pickTarget(list: SurfaceList, asked: string | undefined): Target {
  const wanted = asked === undefined ? undefined : canonical(asked);
  const row = list.surfaces.find((surface) =>
    wanted === undefined ? surface.focused : surface.id === wanted || surface.ref === wanted,
  );
  return row === undefined ? missing(asked) : targetOf(list, row);
}

function missing(asked: string | undefined): never {
  if (asked === undefined) return fail('not_found', 'The workspace has no focused surface.');
  return fail('not_found', 'Surface not found.', { surface_id: asked });
}

function targetOf({ window_id, window_ref, workspace_id, workspace_ref }: SurfaceList, row: Row): Target {
  const place = { window_id, window_ref, workspace_id, workspace_ref };
  return { ...place, surface_id: row.id, surface_ref: row.ref, customTitle: row.custom_title ?? null };
}

/** Refs are lower case, with `tab:N` for `surface:N`; ids are upper case. */
function canonical(handle: string): string {
  const ref = /^(?:surface|tab):(\d+)$/i.exec(handle.trim());
  return ref === null ? handle.trim().toUpperCase() : `surface:${ref[1]}`;
}
