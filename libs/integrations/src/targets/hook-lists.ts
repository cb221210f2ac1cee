import type { HookEntry } from '../domain/json-hooks.js';
import { hookCommand } from '../domain/launcher.js';
import type { Surroundings, Target, TargetEvent } from '../domain/target.js';

type Named = Pick<Target, 'agent' | 'version'> & { readonly events: readonly TargetEvent[] };
type More = Readonly<Record<string, unknown>>;

/** The command line for one event. */
export const commandFor = ({ agent, version }: Named, { launcher }: Surroundings, event: string): string =>
  hookCommand(launcher, agent, event, version);

/**
 * One group for each event, as Claude Code has them: `{matcher?, hooks: [{type, command}]}`.
 *
 * @param matched events that are about a tool and take a matcher
 * @param more further fields of each command
 */
export function groups(target: Named, around: Surroundings, matched: readonly string[], more: More = {}): HookEntry[] {
  return target.events.map(({ event }) => {
    const hooks = [{ ...more, type: 'command', command: commandFor(target, around, event) }];
    return { event, entry: matched.includes(event) ? { matcher: '*', hooks } : { hooks } };
  });
}

/** One command for each event, without a group around it. */
export function commands(target: Named, around: Surroundings, key: string, more: More = {}): HookEntry[] {
  return target.events.map(({ event }) => ({ event, entry: { ...more, [key]: commandFor(target, around, event) } }));
}
