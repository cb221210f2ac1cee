import { type Run, text } from '../command.js';
import { surfaceOf } from './place.js';
import { readStdin } from './stdin.js';

export const notify: Run = async (context, words, options) => {
  const said = words.length > 0 ? words.join(' ') : (await readStdin()).trimEnd();
  const [title, subtitle, workspace_id] = ['title', 'subtitle', 'workspace'].map((name) => text(options, name));
  // Alone it is what the notification is called.
  const texts = title === undefined ? { title: said } : { title, body: said };
  const place = workspace_id === undefined ? surfaceOf(context, text(options, 'surface')) : { workspace_id };
  const surface = text(options, 'surface');
  const made = await context.call('notification.create', {
    ...place,
    ...(surface !== undefined && { surface_id: surface }),
    ...texts,
    ...(subtitle !== undefined && { subtitle }),
  });
  context.out.result(made, () => []);
};
