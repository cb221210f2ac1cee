import type { YardRecord } from './entities.js';
import type { Model, TableName } from './model.js';
import type { Image, Table } from './table.js';

type AnyRow = { readonly id: string };

/** What a change did, so that it can be reversed later. */
export type Footprint = readonly (Image<AnyRow> & { readonly table: TableName })[];

const tableNamed = (model: Model, name: TableName) => model.tables()[name] as unknown as Table<AnyRow>;

/** What has changed since the last accept. */
export function footprint(model: Model): Footprint {
  const names = Object.keys(model.tables()) as TableName[];
  return names.flatMap((table) =>
    tableNamed(model, table)
      .images()
      .map((image) => ({ ...image, table })),
  );
}

/**
 * Puts everything back that the change touched. Refs given out since are not given out again.
 *
 * @returns false, with nothing done, if something of it has changed again since
 */
export function reverse(model: Model, prints: Footprint): boolean {
  if (prints.some(({ table, id, after }) => tableNamed(model, table).get(id) !== after)) return false;
  const { counters } = model.yard;
  for (const { table, id, before } of prints) {
    if (before === undefined) tableNamed(model, table).remove(id);
    else if (table === 'yard') model.yards.put({ ...(before as YardRecord), counters });
    else tableNamed(model, table).put(before);
  }
  return true;
}
