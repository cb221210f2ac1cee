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

/** OpenAI Responses. */
export const responses: Dialect = {
  speaks: (path) => path.endsWith('/responses'),
  streams: (_, body) => body['stream'] === true,
  read: (body) => askedOf(toolsOf(body['tools']), messagesOf(body['input'])),
  answer: (response, stream) => (stream ? streamed(response) : whole(response)),
};

function messagesOf(input: unknown): Message[] {
  if (typeof input === 'string') return [{ by: 'person', texts: [input] }];
  return listOf(input).flatMap(({ type, role, content }): Message[] => {
    if (textOf(type).endsWith('_call_output')) return [{ by: 'tool', texts: [] }];
    if (role === 'assistant') return [{ by: 'model', texts: [] }];
    if (role !== 'user') return [];
    return [{ by: 'person', texts: listOf(content).map(({ text }) => textOf(text)) }];
  });
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 110,
};
const envelope = (id: string, status: string, output: readonly Json[]) => ({
  id,
  object: 'response',
  created_at: 1_700_000_000,
  status,
  model: 'stand-in',
  output,
  ...(status === 'completed' && { usage: USAGE }),
});
const textItem = (id: string, text: string) => ({
  type: 'message',
  id,
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const callItem = (name: string, input: Json) => ({
  type: 'function_call',
  id: freshId('fc'),
  call_id: freshId('call'),
  name,
  arguments: JSON.stringify(input),
  status: 'completed',
});

function streamed(response: ServerResponse): Answer {
  const events = new EventStream(response);
  const id = freshId('resp');
  const output: Json[] = [];
  let sequence = 0;
  let open: { id: string; text: string } | null = null;
  const send = (type: string, data: Json) => events.send(type, { type, sequence_number: sequence++, ...data });
  const output_index = () => output.length;
  const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
  const close = () => {
    if (open === null) return;
    const place = { item_id: open.id, output_index: output_index(), content_index: 0 };
    send('response.output_text.done', { ...place, text: open.text });
    send('response.content_part.done', { ...place, part: part(open.text) });
    const item = textItem(open.id, open.text);
    send('response.output_item.done', { output_index: output_index(), item });
    output.push(item);
    open = null;
  };
  send('response.created', { response: envelope(id, 'in_progress', []) });
  return {
    text(text) {
      if (open === null) {
        open = { id: freshId('msg'), text: '' };
        const item = { ...textItem(open.id, ''), status: 'in_progress', content: [] };
        send('response.output_item.added', { output_index: output_index(), item });
        const place = { item_id: open.id, output_index: output_index(), content_index: 0 };
        send('response.content_part.added', { ...place, part: part('') });
      }
      open.text += text;
      const place = { item_id: open.id, output_index: output_index(), content_index: 0 };
      send('response.output_text.delta', { ...place, delta: text });
    },
    call(name, input) {
      close();
      const item = callItem(name, input);
      const started = { ...item, arguments: '', status: 'in_progress' };
      send('response.output_item.added', { output_index: output_index(), item: started });
      const place = { item_id: item.id, output_index: output_index() };
      send('response.function_call_arguments.done', { ...place, arguments: item.arguments });
      send('response.output_item.done', { output_index: output_index(), item });
      output.push(item);
    },
    end() {
      close();
      send('response.completed', { response: envelope(id, 'completed', output) });
      events.end();
    },
  };
}

function whole(response: ServerResponse): Answer {
  const output: Json[] = [];
  return {
    text: (text) => void output.push(textItem(freshId('msg'), text)),
    call: (name, input) => void output.push(callItem(name, input)),
    end: () => sendJson(response, 200, envelope(freshId('resp'), 'completed', output)),
  };
}
