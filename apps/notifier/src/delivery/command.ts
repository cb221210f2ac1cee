import type { Adapter } from './adapter.js';
import { runProgram } from './run-program.js';

/** A program of the user: the notification as JSON on standard input, and its parts in the environment. */
export function commandAdapter(argv: readonly string[]): Adapter {
  return {
    name: 'command',
    deliver: ({ id, attempt, message }, signal) =>
      runProgram(
        {
          argv,
          input: `${JSON.stringify({ delivery_id: id, attempt, ...message })}\n`,
          env: {
            SWITCHYARD_NOTIFICATION_TITLE: message.title,
            SWITCHYARD_NOTIFICATION_BODY: message.body,
            SWITCHYARD_NOTIFICATION_REASON: message.reason,
          },
        },
        signal,
      ),
  };
}
