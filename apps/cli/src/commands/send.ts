import { flag, type Run } from '../command.js';
import { readStdin } from './stdin.js';

export const send: Run = async (context, [surface = '', ...words], options) => {
  const text = words.length > 0 ? words.join(' ') : await readStdin();
  const surface_id = surface;
  const paste = flag(options, 'paste');
  const typed = await context.call('surface.send_text', { surface_id, text, ...(paste && { paste }) });
  const entered = flag(options, 'enter')
    ? await context.call('surface.send_key', { surface_id, key: 'enter' })
    : undefined;
  const sent = { ...typed, bytes: typed.bytes + (entered?.bytes ?? 0) };
  context.out.result(sent, () => []);
};
