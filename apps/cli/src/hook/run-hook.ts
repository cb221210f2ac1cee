import { agentNamed, type Payload, type Speaker, speakerOf } from '@switchyard/integrations/events';
import { directoryOf, processesAbove } from './ancestors.js';
import { askAll } from './ask-all.js';
import { readPayload } from './read-payload.js';
import { loginRequest, requestsFor } from './requests.js';

/** From the start of this process to its end, whatever happens: an agent waits for its hooks. */
export const HOOK_DEADLINE_MS = 500;
/** Kept for the end of the process. */
const EXIT_MS = 20;
/** Left for the report when the machine is so busy that node itself took most of the time to start. */
const LEAST_MS = 100;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reports one event of an agent to the yard that the agent runs in. Writes nothing and never rejects; outside a terminal
 * of a yard it does nothing.
 *
 * @param args the agent and its event; what follows is for status and is not read
 */
export async function runHook([agent = '', event = '']: readonly string[], env: Env): Promise<void> {
  const { SWITCHYARD_SOCKET: socket, SWITCHYARD_SURFACE_ID: surfaceId, SWITCHYARD_WORKSPACE_ID: workspaceId } = env;
  const token = env['SWITCHYARD_TOKEN'];
  const facts = agentNamed(agent);
  if (!socket || !surfaceId || facts === undefined) return;
  try {
    const deadline = AbortSignal.timeout(timeLeft());
    const payload = await readPayload(process.stdin, deadline);
    const said = facts.read(event, payload);
    if (said.session === null && said.state === null) return;
    const speaker = speakerOf(agent, await processesAbove(process.ppid, deadline));
    if (speaker.served && !isFrom(speaker, payload)) return;
    const place = { surfaceId, workspaceId: workspaceId || surfaceId };
    const requests = requestsFor(said, speaker, place, startOfProcess());
    await askAll(socket, token ? [loginRequest(token), ...requests] : requests, deadline);
  } catch {
    // A yard that is down or slow, a payload that is none: no concern of the agent's.
  }
}

/**
 * Whether an event that a server tells is about the agent that started it, in this terminal: they are in one directory.
 * What was started in the same directory from another terminal cannot be told apart.
 */
function isFrom({ pid }: Speaker, { cwd }: Payload): boolean {
  if (pid === null) return false;
  const directory = directoryOf(pid);
  return directory === null || typeof cwd !== 'string' || cwd === directory;
}

function timeLeft(): number {
  return Math.max(LEAST_MS, Math.floor(HOOK_DEADLINE_MS - EXIT_MS - performance.now()));
}

/** Microseconds; nearer to the event than anything later, and below 2^53 for another two centuries. */
function startOfProcess(): number {
  return Math.round(performance.timeOrigin * 1000);
}
