import type { Message } from '../domain/message.js';
import type { Adapter } from './adapter.js';
import { runProgram } from './run-program.js';

/** Texts are arguments and never part of the script. */
const APPLE_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv) subtitle (item 3 of argv)',
  'end run',
];
const URGENT: ReadonlySet<Message['reason']> = new Set(['agent_blocked', 'agent_failed']);

/** The notifications of the desktop: notify-send, on macOS osascript. */
export function desktopAdapter(platform: NodeJS.Platform): Adapter {
  const argvOf = platform === 'darwin' ? appleArgv : notifySendArgv;
  return { name: 'desktop', deliver: ({ message }, signal) => runProgram({ argv: argvOf(message) }, signal) };
}

export function appleArgv({ title, body, subtitle }: Message): string[] {
  return ['osascript', ...APPLE_SCRIPT.flatMap((line) => ['-e', line]), title, body, subtitle];
}

/** Servers take the body for markup. */
export function notifySendArgv({ title, body, subtitle, reason }: Message): string[] {
  const lines = [subtitle, body].filter((line) => line !== '');
  const urgency = URGENT.has(reason) ? 'critical' : 'normal';
  return ['notify-send', '--app-name=Switchyard', `--urgency=${urgency}`, '--', title, escaped(lines.join('\n'))];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
