import type { Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol/errors';
import type { Run } from '../command.js';
import type { Context } from '../context.js';

type Ports = Result<'surface.ports'>;

const HEADING = ['SURFACE', 'PORT', 'ADDRESS', 'PROCESS', 'PID'];

export const ports: Run = async (context, [surface_id]) => {
  const found = surface_id === undefined ? await ofAll(context) : [await context.call('surface.ports', { surface_id })];
  const rows = found.flatMap((one) => one.ports.map((port) => rowOf(one, port)));
  context.out.result({ surfaces: found }, () =>
    rows.length === 0 ? ['Nothing listens.'] : context.out.table(HEADING, rows),
  );
};

/** Every terminal that runs. The yard looks once for all who ask at the same time. */
async function ofAll(context: Context): Promise<Ports[]> {
  const { windows } = await context.call('system.tree', { all_windows: true });
  const panes = windows.flatMap(({ workspaces }) => workspaces.flatMap((workspace) => workspace.panes));
  const terminals = panes.flatMap((pane) => pane.surfaces.filter(({ type }) => type === 'terminal'));
  return (await Promise.all(terminals.map(({ id }) => ofOne(context, id)))).flat();
}

async function ofOne(context: Context, surface_id: string): Promise<Ports[]> {
  try {
    return [await context.call('surface.ports', { surface_id })];
  } catch (error) {
    // It has ended, or was closed since the tree was read.
    const isGone = error instanceof SwitchyardError && ['terminal_exited', 'not_found'].includes(error.code);
    if (isGone) return [];
    throw error;
  }
}

function rowOf({ surface_ref }: Ports, { port, addresses, process, pid, source }: Ports['ports'][number]): string[] {
  const where = source === 'reported' ? '(reported)' : addresses.join(' ');
  return [surface_ref, String(port), where, process ?? '', pid === null ? '' : String(pid)];
}
