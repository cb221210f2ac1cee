import type { Action, Reason } from './words.js';

/** What a person would do next, as a command line. @param surfaceRef null: the surface is gone */
export function actionFor(reason: Reason, surfaceRef: string | null): Action {
  if (surfaceRef === null) return { kind: 'look', command: 'sy notifications' };
  switch (reason) {
    case 'agent_blocked':
      return { kind: 'answer', command: `sy attach ${surfaceRef}` };
    case 'agent_finished':
      return { kind: 'review', command: `sy read ${surfaceRef}` };
    case 'agent_failed':
      return { kind: 'restart', command: `sy call surface.respawn '{"surface_id":"${surfaceRef}"}'` };
    case 'request':
    case 'terminal':
    case 'bell':
      return { kind: 'look', command: `sy attach ${surfaceRef}` };
  }
}
