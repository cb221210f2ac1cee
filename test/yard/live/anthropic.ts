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

/** Anthropic Messages. */
export const anthropic: Dialect = {
  speaks: (path) => path.endsWith('/messages'),
  streams: (_, body) => body['stream'] === true,
  read: (body) => askedOf(toolsOf(body['tools'], null, 'input_schema'), listOf(body['messages']).flatMap(messagesOf)),
  answer: (response, stream) => (stream ? streamed(response) : whole(response)),
};

function messagesOf({ role, content }: Json): Message[] {
  if (role === 'assistant') return [{ by: 'model', texts: [] }];
  if (typeof content === 'string') return [{ by: 'person', texts: [content] }];
  const blocks = listOf(content);
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => textOf(text));
  const ran = blocks.some(({ type }) => type === 'tool_result');
  // What is written beside the result of a tool is said by the agent, not by the person.
  return ran ? [{ by: 'tool', texts: [] }] : [{ by: 'person', texts }];
}

const USAGE = { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const message = (content: readonly Json[], stop_reason: string | null) => ({
  id: freshId('msg'),
  type: 'message',
  role: 'assistant',
  model: 'stand-in',
  content,
  stop_reason,
  stop_sequence: null,
  usage: USAGE,
});

function streamed(response: ServerResponse): Answer {
  const events = new EventStream(response);
  const send = (type: string, data: Json) => events.send(type, { type, ...data });
  let index = -1;
  let open: 'text' | null = null;
  let called = false;
  const close = () => {
    if (open !== null) send('content_block_stop', { index });
    open = null;
  };
  const delta = (type: string, field: string, value: string) =>
    send('content_block_delta', { index, delta: { type, [field]: value } });
  send('message_start', { message: message([], null) });
  return {
    text(part) {
      if (open === null) send('content_block_start', { index: ++index, content_block: { type: 'text', text: '' } });
      open = 'text';
      delta('text_delta', 'text', part);
    },
    call(name, input) {
      close();
      called = true;
      const block = { type: 'tool_use', id: freshId('toolu'), name, input: {} };
      send('content_block_start', { index: ++index, content_block: block });
      delta('input_json_delta', 'partial_json', JSON.stringify(input));
      send('content_block_stop', { index });
    },
    end() {
      close();
      const stop_reason = called ? 'tool_use' : 'end_turn';
      send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } });
      send('message_stop', {});
      events.end();
    },
  };
}

function whole(response: ServerResponse): Answer {
  const content: Json[] = [];
  return {
    text: (text) => void content.push({ type: 'text', text }),
    call: (name, input) => void content.push({ type: 'tool_use', id: freshId('toolu'), name, input }),
    end: () => {
      const called = content.some(({ type }) => type === 'tool_use');
      sendJson(response, 200, message(content, called ? 'tool_use' : 'end_turn'));
    },
  };
}
