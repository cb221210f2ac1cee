import { claudeLike, withoutReason } from './claude-like.js';
import {
  blocked,
  type EventReader,
  type HookReport,
  NOTHING,
  objectIn,
  type Payload,
  sessionIn,
  state,
  textIn,
  toolCall,
} from './hook-report.js';

type Table = Readonly<Record<string, (payload: Payload) => HookReport>>;

const readerOf =
  (events: Table): EventReader =>
  (event, payload) =>
    Object.hasOwn(events, event) ? (events[event]?.(payload) ?? NOTHING) : NOTHING;

const working = () => state('working');
const idle = () => state('idle');
const like =
  (event: string) =>
  (payload: Payload): HookReport =>
    claudeLike(event, payload);

export const gemini = readerOf({
  SessionStart: like('SessionStart'),
  BeforeAgent: like('UserPromptSubmit'),
  BeforeTool: working,
  AfterTool: working,
  Notification: like('Notification'),
  AfterAgent: idle,
  SessionEnd: like('SessionEnd'),
});

export const copilot = readerOf({
  sessionStart: like('SessionStart'),
  userPromptSubmitted: like('UserPromptSubmit'),
  preToolUse: like('PreToolUse'),
  permissionRequest: like('PermissionRequest'),
  notification: like('Notification'),
  postToolUse: working,
  agentStop: idle,
  sessionEnd: like('SessionEnd'),
});

const clineTask = (payload: Payload): HookReport => ({
  ...state('working'),
  session: sessionIn(objectIn(payload, 'session_context'), 'root_session_id'),
});
const clineEvents = readerOf({
  TaskStart: clineTask,
  TaskResume: clineTask,
  PreToolUse: working,
  PostToolUse: working,
  TaskCancel: idle,
  TaskComplete: idle,
});
export const cline: EventReader = (event, payload) =>
  textIn(payload, 'parent_agent_id') === null ? clineEvents(event, payload) : NOTHING;

const cursorSession = (payload: Payload) => sessionIn(payload, 'conversation_id') ?? sessionIn(payload);
const cursorEvents = readerOf({
  sessionStart: (payload) => ({ ...NOTHING, session: cursorSession(payload) }),
  beforeSubmitPrompt: (payload) => ({
    ...state('working'),
    session: withoutReason(payload, 'conversation_id') ?? withoutReason(payload),
  }),
  preToolUse: working,
  postToolUse: working,
  stop: idle,
  sessionEnd: () => state('gone'),
});
export const cursor: EventReader = (event, payload) =>
  textIn(payload, 'parent_conversation_id') === null ? cursorEvents(event, payload) : NOTHING;

/** Stands where the conversation has no name yet. */
const NO_SESSION = 'session-init';
const mastracodeSession =
  (event: string) =>
  (payload: Payload): HookReport => {
    const said = claudeLike(event, payload);
    return said.session?.id === NO_SESSION ? { ...said, session: null } : said;
  };

export const mastracode = readerOf({
  SessionStart: mastracodeSession('SessionStart'),
  UserPromptSubmit: mastracodeSession('UserPromptSubmit'),
  AgentStart: working,
  PreToolUse: working,
  PermissionRequest: like('PermissionRequest'),
  PermissionResult: working,
  PostToolUse: working,
  Notification: mastracodeNotice,
  Interrupt: idle,
  // A run that is suspended goes on when the person has answered; that it waits was told by the question.
  AgentEnd: (payload) => (textIn(payload, 'stop_reason') === 'suspended' ? NOTHING : state('idle')),
  Stop: idle,
  SessionEnd: () => state('gone'),
});

/** Why it wants a person, in its own words. */
function mastracodeNotice(payload: Payload): HookReport {
  switch (textIn(payload, 'reason')) {
    case 'ask_question':
      return blocked('question', textIn(payload, 'message'));
    case 'tool_approval':
    case 'sandbox_access':
    case 'plan_approval':
      return blocked('permission', textIn(payload, 'message'));
    case 'agent_done':
      return state('idle');
    default:
      return NOTHING;
  }
}

export const antigravity = readerOf({
  // Before each call of the model: the first of a turn, and after each tool.
  PreInvocation: (payload) => ({ ...state('working'), session: withoutReason(payload, 'conversation_id') }),
  // What goes on behind the prompt has not come to an end.
  Stop: (payload) => (payload['fullyIdle'] === false ? NOTHING : state('idle')),
});

const asked = (payload: Payload): HookReport =>
  blocked(
    textIn(payload, 'question') === 'permission' ? 'permission' : 'question',
    textIn(payload, 'message') ?? toolCall(payload),
  );
const inProcessEvents: Table = {
  session: () => NOTHING,
  working,
  idle,
  blocked: asked,
  gone: () => state('gone'),
};

/** Events of our plugins that run inside an agent; they number their events, since several may be under way at once. */
export const inProcess: EventReader = (event, payload) => {
  const said = readerOf(inProcessEvents)(event, payload);
  if (!Object.hasOwn(inProcessEvents, event)) return said;
  const seq = payload['seq'];
  return { ...said, session: sessionIn(payload), seq: Number.isSafeInteger(seq) ? (seq as number) : null };
};
