import type { Run } from '../command.js';
import { sidebarLines } from '../domain/sidebar-lines.js';
import { placeOf } from './place.js';

export const sidebar: Run = async (context, _args, options) => {
  const place = placeOf(context, options);
  const state = await context.call('workspace.sidebar_state', place);
  const { entries } = await context.call('metadata.list_progress', place);
  context.out.result({ ...state, progress_entries: entries }, (all) => sidebarLines(all));
};
