// @switchyard-integration@
// Reports the session and the state of omp to Switchyard. Written by `sy integration install omp`.
import { spawn } from 'node:child_process';

const LAUNCHER = '@launcher@';
/** What follows the end of a run at once belongs to it: a retry, a queued prompt. */
const SETTLE_MS = 250;

let sequence = Date.now() * 1000;

/** Never waits and never fails: what goes wrong is not the agent's concern. */
function tell(event: string, payload: object): void {
  try {
    sequence = Math.max(sequence + 1, Date.now() * 1000);
    const child = spawn(LAUNCHER, ['hook', 'omp', event], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify({ ...payload, seq: sequence }));
    child.unref();
  } catch {}
}

interface Session {
  readonly session_id: string | undefined;
  readonly transcript_path: string | undefined;
}
/** What is used of the context that the agent hands to its extensions. */
interface Context {
  readonly hasUI?: boolean;
  readonly sessionManager?: { getSessionId?(): string; getSessionFile?(): string | undefined };
}
type Facts = Readonly<Record<string, string | undefined>>;
type Handler = (facts: Facts, session: Session) => void;
interface Agent {
  on(event: string, handler: (facts: Facts | undefined, context: Context | undefined) => Promise<void>): unknown;
}

export default function switchyard(agent: Agent): void {
  // Outside a terminal of a yard the extension does nothing at all.
  if (!process.env.SWITCHYARD_SOCKET || !process.env.SWITCHYARD_SURFACE_ID) return;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const on = (event: string, handler: Handler): void => {
    try {
      agent.on(event, async (facts, context) => {
        try {
          // Sub-agents and runs without a screen are not what the person looks at.
          if (context?.hasUI === false) return;
          handler(facts ?? {}, sessionOf(context));
        } catch {}
      });
    } catch {}
  };
  const sessionOf = (context: Context | undefined): Session => ({
    session_id: context?.sessionManager?.getSessionId?.(),
    transcript_path: context?.sessionManager?.getSessionFile?.(),
  });
  const now = (state: string, payload: object): void => {
    clearTimeout(timer);
    tell(state, payload);
  };

  on('session_start', ({ reason }, session) => tell('session', { ...session, reason }));
  on('session_switch', ({ reason }, session) => tell('session', { ...session, reason: reason ?? 'switch' }));
  on('session_branch', (_, session) => tell('session', { ...session, reason: 'fork' }));
  on('agent_start', (_, session) => now('working', session));
  on('agent_end', (_, session) => {
    clearTimeout(timer);
    timer = setTimeout(() => tell('idle', session), SETTLE_MS);
    timer.unref?.();
  });
  on('tool_approval_requested', ({ toolName, reason }, session) =>
    now('blocked', { ...session, question: 'permission', message: [toolName, reason].filter(Boolean).join(': ') }),
  );
  on('tool_approval_resolved', (_, session) => now('working', session));
  on('tool_execution_start', ({ toolName }, session) => {
    if (toolName === 'ask') now('blocked', { ...session, question: 'question' });
  });
  on('tool_execution_end', ({ toolName }, session) => {
    if (toolName === 'ask') now('working', session);
  });
  on('session_shutdown', (_, session) => now('gone', session));
}
