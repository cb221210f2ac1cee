import { flag, type Run, text } from '../command.js';
import { placeOf } from './place.js';
import { programParams } from './program-params.js';

export const newTerminal: Run = async (context, command, options) => {
  const program = programParams(command, options);
  const title = text(options, 'title');
  const pane = text(options, 'pane');
  const made =
    flag(options, 'newWorkspace') || title !== undefined
      ? await context.call('workspace.create', { ...program, ...(title !== undefined && { title }) })
      : await context.call('surface.create', {
          ...program,
          ...placeOf(context, options),
          ...(pane !== undefined && { pane_id: pane }),
        });
  context.out.result(made, ({ surface_ref }) => surface_ref);
};
