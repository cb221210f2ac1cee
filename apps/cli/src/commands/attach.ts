import { AttachSession } from '../attach-session.js';
import { type Run, text } from '../command.js';
import { UsageError } from '../context.js';
import { detachByte } from '../domain/detach-key.js';
import { EXIT } from '../domain/exit-codes.js';
import { surfaceOf } from './place.js';

export const attach: Run = async (context, [named], options) => {
  const key = detachByte(text(options, 'detachKey'));
  if (key === undefined) throw new UsageError('--detach-key must be a control key such as ctrl-] or ctrl-a');
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError('attach needs a terminal to attach to');
  const client = await context.connectReconnecting();
  const screen = await client.call('surface.read_text', { ...(named === undefined ? {} : surfaceOf(context, named)) });
  const { surface_id, surface_ref } = screen;
  if (surface_id === context.callerSurface) throw new UsageError('this is the terminal you are in');
  const session = new AttachSession({
    client,
    surface_id,
    detachKey: key,
    input: process.stdin,
    output: process.stdout,
  });
  const end = await session.run();
  context.out.note(end.kind === 'detached' ? `[detached from ${surface_ref}]` : `[${surface_ref} exited: ${end.how}]`);
  return EXIT.ok;
};
