import type { ServerResponse } from 'node:http';
import {
  type Answer,
  askedOf,
  type Dialect,
  EventStream,
  type Json,
  listOf,
  type Message,
  sendJson,
  type Tool,
  textOf,
  toolsOf,
} from './wire.js';

/** Gemini, as its API for developers speaks. */
export const gemini: Dialect = {
  speaks: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  streams: (path) => path.endsWith(':streamGenerateContent'),
  read: (body) => askedOf(listOf(body['tools']).flatMap(declared), listOf(body['contents']).map(messageOf)),
  answer: (response, stream) => (stream ? streamed(response) : whole(response)),
};

/** The schema goes by one name or the other. */
function declared({ functionDeclarations }: Json): Tool[] {
  const plain = toolsOf(functionDeclarations);
  return toolsOf(functionDeclarations, null, 'parametersJsonSchema').map((tool, i) => ({
    name: tool.name,
    parameters: { ...plain[i]?.parameters, ...tool.parameters },
  }));
}

function messageOf({ role, parts }: Json): Message {
  if (role === 'model') return { by: 'model', texts: [] };
  const list = listOf(parts);
  if (list.some((part) => part['functionResponse'] !== undefined)) return { by: 'tool', texts: [] };
  return { by: 'person', texts: list.map(({ text }) => textOf(text)) };
}

const reply = (parts: readonly Json[], finishReason: string | null) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason !== null && { finishReason }) }],
  usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
  modelVersion: 'stand-in',
});

function streamed(response: ServerResponse): Answer {
  const events = new EventStream(response);
  return {
    text: (text) => events.send(null, reply([{ text }], null)),
    call: (name, args) => events.send(null, reply([{ functionCall: { name, args } }], null)),
    end: () => {
      events.send(null, reply([{ text: '' }], 'STOP'));
      events.end();
    },
  };
}

function whole(response: ServerResponse): Answer {
  const parts: Json[] = [];
  return {
    text: (text) => void parts.push({ text }),
    call: (name, args) => void parts.push({ functionCall: { name, args } }),
    end: () => sendJson(response, 200, reply(parts, 'STOP')),
  };
}
