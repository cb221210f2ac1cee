import type { Run } from '../command.js';
import { statusReportLines } from '../domain/git-status-lines.js';
import { folderOf } from './git-folder.js';

export const gitStatus: Run = async (context, _args, options) => {
  const { out } = context;
  const found = await context.call('workspace.git.status', folderOf(options));
  out.result(found, (status) => statusReportLines(status, (colour, text) => out.paint(colour, text)));
  return undefined;
};
