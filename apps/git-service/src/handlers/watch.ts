import type { Bus, HandlerContext } from '@switchyard/bus';
import type { HandlersIn } from '@switchyard/protocol';
import type { Watching } from '../watch/watching.js';

export interface WatchParts {
  readonly bus: Bus;
  readonly watching: Watching;
}

/** `git.watch`. */
export function watchHandlers({ bus, watching }: WatchParts): HandlersIn<'git', 'git-service', HandlerContext> {
  return {
    'git.watch': ({ folders }) => ({ instance: bus.instance, folders: watching.watch(folders) }),
  };
}

/**
 * Hears what happens in the terminals.
 * @returns ends it
 */
export function hearTerminals({ bus, watching }: WatchParts): () => void {
  const ends = [
    bus.subscribe('terminal.output', ({ surface_id }) => watching.printed(surface_id)),
    bus.subscribe('agent.state_changed', ({ surface_id, state }) => {
      if (state !== 'working') watching.worked(surface_id);
    }),
    bus.subscribe('surface.focused', ({ surface_id }) => watching.shown(surface_id)),
  ];
  return () => {
    for (const end of ends) end();
  };
}
