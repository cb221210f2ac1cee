import type { Run } from '../command.js';

export const key: Run = async (context, [surface_id = '', ...keys]) => {
  const sent = [];
  for (const name of keys) sent.push(await context.call('surface.send_key', { surface_id, key: name }));
  context.out.result(sent, () => []);
};
