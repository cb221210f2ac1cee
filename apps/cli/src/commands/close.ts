import { flag, type Run } from '../command.js';

export const close: Run = async (context, [surface_id = ''], options) => {
  const now = flag(options, 'now');
  const closed = await context.call('surface.close', { surface_id, ...(now && { now }) });
  context.out.result(closed, ({ survivors = [] }) =>
    survivors.map(({ pid, command }) => `still running: ${pid} ${command}`),
  );
};
