import type { ServerResponse } from 'node:http';
import {
  type Answer,
  askedOf,
  type Dialect,
  EventStream,
  freshId,
  type Json,
  listOf,
  type Message,
  sendJson,
  textOf,
  toolsOf,
} from './wire.js';

/** OpenAI Chat Completions, which many speak. */
export const openaiChat: Dialect = {
  speaks: (path) => path.endsWith('/chat/completions'),
  streams: (_, body) => body['stream'] === true,
  read: (body) => askedOf(toolsOf(body['tools'], 'function'), listOf(body['messages']).flatMap(messageOf)),
  answer: (response, stream) => (stream ? streamed(response) : whole(response)),
};

function messageOf({ role, content }: Json): Message[] {
  if (role === 'tool') return [{ by: 'tool', texts: [] }];
  if (role === 'assistant') return [{ by: 'model', texts: [] }];
  if (role !== 'user') return [];
  return [
    {
      by: 'person',
      texts: Array.isArray(content) ? listOf(content).map(({ text }) => textOf(text)) : [textOf(content)],
    },
  ];
}

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const callOf = (name: string, input: Json) => ({
  id: freshId('call'),
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

function streamed(response: ServerResponse): Answer {
  const events = new EventStream(response);
  const head = { id: freshId('chatcmpl'), object: 'chat.completion.chunk', created: 1_700_000_000, model: 'stand-in' };
  const send = (delta: Json, finish_reason: string | null) =>
    events.send(null, { ...head, choices: [{ index: 0, delta, finish_reason }] });
  let calls = 0;
  send({ role: 'assistant', content: '' }, null);
  return {
    text: (content) => send({ content }, null),
    call: (name, input) => send({ tool_calls: [{ index: calls++, ...callOf(name, input) }] }, null),
    end: () => {
      send({}, calls > 0 ? 'tool_calls' : 'stop');
      events.send(null, { ...head, choices: [], usage: USAGE });
      events.send(null, '[DONE]');
      events.end();
    },
  };
}

function whole(response: ServerResponse): Answer {
  let content = '';
  const tool_calls: Json[] = [];
  return {
    text: (part) => {
      content += part;
    },
    call: (name, input) => void tool_calls.push(callOf(name, input)),
    end: () => {
      const message = { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) };
      const finish_reason = tool_calls.length > 0 ? 'tool_calls' : 'stop';
      const choices = [{ index: 0, message, finish_reason }];
      const head = { id: freshId('chatcmpl'), object: 'chat.completion', created: 1_700_000_000, model: 'stand-in' };
      sendJson(response, 200, { ...head, choices, usage: USAGE });
    },
  };
}
