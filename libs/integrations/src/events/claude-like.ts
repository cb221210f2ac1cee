import {
  blocked,
  type EventReader,
  type HookReport,
  NOTHING,
  type Payload,
  sessionIn,
  state,
  textIn,
  toolCall,
} from './hook-report.js';

/** Tools whose use is a question to the person. */
const ASKING_TOOLS = new Set(['AskUserQuestion', 'ExitPlanMode', 'ask_user_question', 'exit_plan_mode']);
/** A session that ends so is followed by another of the same program. */
const GOES_ON = new Set(['clear', 'resume', 'fork', 'new', 'switch']);

type Table = Readonly<Record<string, (payload: Payload) => HookReport>>;

const ended = (payload: Payload) => (GOES_ON.has(textIn(payload, 'reason') ?? '') ? NOTHING : state('gone'));
/** A tool that the person interrupted ends the turn; the agent sends nothing else then. */
const failed = (payload: Payload) => state(payload['is_interrupt'] === true ? 'idle' : 'working');

const EVENTS: Table = {
  // A session may also start in the middle of a turn (`compact`) or together with the first prompt: it says no state.
  SessionStart: (payload) => ({ ...NOTHING, session: sessionIn(payload) }),
  UserPromptSubmit: (payload) => ({ ...state('working'), session: withoutReason(payload) }),
  PreToolUse: (payload) => (asks(payload) ? asking(payload) : state('working')),
  PermissionRequest: (payload) => (asks(payload) ? asking(payload) : blocked('permission', toolCall(payload))),
  PermissionResult: () => state('working'),
  PermissionDenied: () => state('working'),
  PostToolUse: () => state('working'),
  PostToolUseFailure: failed,
  Notification: notification,
  Elicitation: (payload) => blocked('question', textIn(payload, 'message')),
  ElicitationResult: () => state('working'),
  Stop: () => state('idle'),
  StopFailure: () => state('idle'),
  Interrupt: () => state('idle'),
  SessionEnd: ended,
};

/**
 * Events of Claude Code, and of the agents that have taken over its hooks: Codex, Qwen, Kimi, Droid, Qoder, Grok, Devin.
 * What a sub-agent does (it has an `agent_id`) says nothing about the agent that the person talks to.
 */
export const claudeLike: EventReader = (event, payload) => {
  if (textIn(payload, 'agent_id') !== null) return NOTHING;
  return Object.hasOwn(EVENTS, event) ? (EVENTS[event]?.(payload) ?? NOTHING) : NOTHING;
};

/** What a notification is about, where it says so; Droid says it only in words. */
function notification(payload: Payload): HookReport {
  const message = textIn(payload, 'message');
  switch (textIn(payload, 'notification_type')) {
    case 'permission_prompt':
    case 'ToolPermission':
      return blocked('permission', message);
    case 'elicitation_dialog':
      return blocked('question', message);
    case 'idle_prompt':
      return state('idle');
    case null:
      return inWords(message ?? '');
    default:
      return NOTHING;
  }
}

function inWords(message: string): HookReport {
  if (/\bpermission\b/i.test(message)) return blocked('permission', message);
  return /\bwaiting for (?:your )?input\b/i.test(message) ? state('idle') : NOTHING;
}

const asks = (payload: Payload) => ASKING_TOOLS.has(textIn(payload, 'tool_name') ?? '');
const asking = (payload: Payload) => blocked('question', toolCall(payload));

/** The session as every prompt names it: how it began is not said again. */
export function withoutReason(payload: Payload, idName?: string): HookReport['session'] {
  const session = sessionIn(payload, idName);
  return session && { ...session, startReason: null };
}
