/**
 * Opens a workspace whose one terminal runs a program.
 * @returns {Promise<{surface_id: string, workspace_id: string}>}
 */
export function openTerminal(client, argv) {
  return client.call('workspace.create', { argv });
}

/** Waits until a text that matches is on the screen or in the scrollback. */
export function shown(client, surface_id, pattern, timeout_ms = 300_000) {
  return client.call('surface.wait', { surface_id, pattern, lines: 50, timeout_ms });
}

export async function close(client, { workspace_id }) {
  await client.call('workspace.close', { workspace_id });
}
