import type { ReadStream } from 'node:tty';
import type { Payload } from '@switchyard/integrations/events';

/** Of a longer payload (a tool may have returned megabytes) only the facts at its beginning are read. */
const MAX_BYTES = 1_048_576;
/** A pipe gives no more at once; less means that the writer has paused, perhaps for good. */
const PIPE_BYTES = 65_536;
/** What is looked for in a payload that is cut off. */
const FACTS =
  /"(session_id|sessionId|transcript_path|transcriptPath|agent_id|agentId|parent_agent_id|notification_type|tool_name|toolName|source|reason|cwd)"\s*:\s*("(?:[^"\\]|\\.){0,4096}")/g;

/**
 * The JSON that an agent writes to its hook. An agent may leave the pipe open behind it, or write nothing at all.
 *
 * @throws when nothing can be read, or the deadline comes first
 */
export async function readPayload(input: ReadStream | NodeJS.ReadStream, deadline: AbortSignal): Promise<Payload> {
  if (input.isTTY) return {};
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of untilAborted(input, deadline)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return factsOf(Buffer.concat(chunks).toString('utf8', 0, MAX_BYTES));
    const whole = chunk.length < PIPE_BYTES ? parsed(Buffer.concat(chunks).toString('utf8')) : undefined;
    if (whole !== undefined) return whole;
  }
  return parsed(Buffer.concat(chunks).toString('utf8')) ?? {};
}

async function* untilAborted(input: NodeJS.ReadStream, deadline: AbortSignal): AsyncGenerator<Buffer> {
  const stop = () => input.destroy(new Error('too late'));
  deadline.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of input) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as string);
  } finally {
    deadline.removeEventListener('abort', stop);
  }
}

/** @returns undefined when it is no JSON object, or not all of one */
function parsed(text: string): Payload | undefined {
  if (!text.trimEnd().endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
}

/** The first of each: agents write their own facts before what their tools said. */
function factsOf(text: string): Payload {
  const facts: Record<string, unknown> = {};
  for (const [, name = '', value = '""'] of text.matchAll(FACTS)) facts[name] ??= parsedString(value);
  return facts;
}

function parsedString(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}
