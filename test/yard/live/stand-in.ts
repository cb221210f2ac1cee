import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@switchyard/testing';
import { anthropic } from './anthropic.js';
import { gemini } from './gemini.js';
import { openaiChat } from './openai-chat.js';
import { responses } from './responses.js';
import { type Answer, type Asked, type Dialect, type Json, objectOf, sendJson, type Tool } from './wire.js';

const DIALECTS: readonly Dialect[] = [anthropic, responses, openaiChat, gemini];
/** How agents call their tool for shell commands, and its argument. */
const SHELL_TOOLS = /^(?:bash|shell|shell_command|exec_command|run_shell_command|execute_command)$/i;
const COMMAND_ARGUMENTS = ['command', 'cmd'] as const;
/** For requests beside a turn: a title, the next speaker, which model to take. Whoever wants none of it ignores it. */
const ASIDE = JSON.stringify({ title: 'A test', isNewTopic: false, next_speaker: 'user', reasoning: 'none' });
/** Agents start slowly on two cores. */
const REQUEST_TIMEOUT_MS = 30_000;

/** A turn of an agent that waits for what its model says next. */
export interface Turn {
  say(text: string): void;
  /** Asks for a shell command, by the tool that the agent has for it, and ends the answer. */
  run(command: string): void;
  end(text: string): void;
}

interface Request extends Asked {
  readonly answer: Answer;
  taken: boolean;
}

/** A model server that says nothing until a test makes it speak, and counts what it was asked. */
export class StandIn {
  readonly #server: Server;
  readonly #requests: Request[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<StandIn> {
    const server = createServer();
    const model = new StandIn(server);
    server.on('request', (request, response) => void model.#receive(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The turn that a prompt began, or that goes on after the tool it asked for; each is given once. */
  turn(prompt: string, { afterTool }: { afterTool: boolean }): Promise<Turn> {
    const isIt = (request: Request) =>
      !request.taken && request.afterTool === afterTool && request.latest.includes(prompt);
    return waitFor(
      `the model is asked ${JSON.stringify(prompt)}${afterTool ? ' after a tool' : ''}`,
      () => {
        const request = this.#requests.find(isIt);
        if (request === undefined) return undefined;
        request.taken = true;
        return turnOf(request);
      },
      { timeoutMs: REQUEST_TIMEOUT_MS, seen: () => this.#requests.map(({ latest }) => latest) },
    );
  }

  /** How many turns a prompt began. */
  turnsOf(prompt: string): number {
    return this.#requests.filter(({ latest, afterTool }) => !afterTool && latest.includes(prompt)).length;
  }

  /** How often a prompt stands in a conversation, the longest of them. */
  timesIn(prompt: string): number {
    return Math.max(0, ...this.#requests.map(({ prompts }) => prompts.filter((text) => text === prompt).length));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const dialect = DIALECTS.find((each) => request.method === 'POST' && each.speaks(path));
    if (dialect === undefined) return sendJson(response, 404, { error: { message: 'not here', type: 'not_found' } });
    const body = await bodyOf(request);
    const asked = dialect.read(body);
    const answer = dialect.answer(response, dialect.streams(path, body));
    if (asked.tools.length > 0) {
      this.#requests.push({ ...asked, answer, taken: false });
      return;
    }
    answer.text(ASIDE);
    answer.end();
  }
}

function turnOf({ tools, answer }: Request): Turn {
  return {
    say: (text) => answer.text(text),
    run: (command) => {
      const tool = tools.find(({ name }) => SHELL_TOOLS.test(name));
      if (tool === undefined) throw new Error(`no tool for a command among ${tools.map(({ name }) => name).join(' ')}`);
      answer.call(tool.name, argumentsOf(tool, command));
      answer.end();
    },
    end: (text) => {
      answer.text(text);
      answer.end();
    },
  };
}

/** The command, and something for every other argument that must be there. */
function argumentsOf({ parameters }: Tool, command: string): Json {
  const known = objectOf(parameters['properties']);
  const name = COMMAND_ARGUMENTS.find((each) => known[each] !== undefined) ?? COMMAND_ARGUMENTS[0];
  const takesWords = JSON.stringify(objectOf(known[name])['type'] ?? '')
    .toLowerCase()
    .includes('array');
  const required = Array.isArray(parameters['required']) ? parameters['required'].map(String) : [];
  const others = required.filter((each) => each !== name).map((each) => [each, valueFor(objectOf(known[each]))]);
  return {
    ...Object.fromEntries(others),
    // Codex asks the person where its model wants to leave the sandbox.
    ...(known['sandbox_permissions'] !== undefined && { sandbox_permissions: 'require_escalated' }),
    [name]: takesWords ? ['sh', '-c', command] : command,
  };
}

function valueFor({ type }: Json): unknown {
  const kind = String(type).toLowerCase();
  if (kind === 'boolean') return false;
  return kind === 'number' || kind === 'integer' ? 0 : 'A step of a test';
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return objectOf(JSON.parse(Buffer.concat(parts).toString('utf8') || '{}'));
}
