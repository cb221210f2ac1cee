import type { TargetEvent } from '../domain/target.js';

/** Events that agents with the hooks of Claude Code have in common. */
export const CLAUDE_EVENTS: readonly TargetEvent[] = [
  { event: 'SessionStart', tells: 'session' },
  { event: 'UserPromptSubmit', tells: 'session, working' },
  { event: 'PreToolUse', tells: 'working' },
  { event: 'PostToolUse', tells: 'working' },
  { event: 'Stop', tells: 'idle' },
  { event: 'SessionEnd', tells: 'gone, unless another session follows' },
];
export const PERMISSION_REQUEST: TargetEvent = { event: 'PermissionRequest', tells: 'blocked' };

/** Events of them that are about a tool and take a matcher. */
export const ABOUT_TOOLS: readonly string[] = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure'];
