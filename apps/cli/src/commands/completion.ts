import { PUBLIC_METHODS } from '@switchyard/protocol';
import type { CommandSpec, OptionSpec, Run } from '../command.js';
import { UsageError } from '../context.js';
import { completionScript, isShell, SHELLS } from '../domain/completion.js';

/** Processes of a yard with one of each kind. */
const SERVICES = ['bus', 'keeper', 'pty-host', 'workspace-service', 'git-service', 'detector', 'notifier', 'gateway'];

/** What `notifications` can do, and the levels it can set. */
const NOTIFICATIONS = ['list', 'read', 'clear', 'deliveries', 'level', 'quiet', 'normal', 'all', 'default'];

export function completionOf(commands: readonly CommandSpec[], globals: readonly OptionSpec[]): Run {
  return async (context, [shell = '']) => {
    if (!isShell(shell)) throw new UsageError(`completion knows ${SHELLS.join(', ')}`);
    const words = { methods: PUBLIC_METHODS, services: SERVICES, shells: SHELLS, notifications: NOTIFICATIONS };
    context.out.line(completionScript(shell, commands, globals, words));
  };
}
