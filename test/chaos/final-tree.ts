import type { World } from './world.js';

/** Compares all windows with what the parts of the workload have made, so that nothing is there twice, or gone. */
export async function checkTree(world: World): Promise<void> {
  const { ledger, tamper, tree } = world;
  const door = world.door();
  try {
    const { windows } = await door.surely('system.tree', { all_windows: true });
    const there = windows
      .flatMap(({ workspaces }) => workspaces)
      .flatMap(({ id, panes }) => panes.flatMap((pane) => pane.surface_ids.map((surface) => `${id} ${surface}`)));
    const wanted = [...tree].flatMap(([id, surfaces]) => [...surfaces].map((surface) => `${id} ${surface}`));
    if (tamper.takes('change')) there.push('a workspace that nobody has made');
    for (const place of wanted) if (!there.includes(place)) ledger.fault('changes lost', `${place} is not in the tree`);
    for (const place of there) if (!wanted.includes(place)) ledger.fault('changes doubled', `${place} is in the tree`);
  } finally {
    await door.close();
  }
}
