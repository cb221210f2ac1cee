import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLI, type TempDir, tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const HOOK = fileURLToPath(new URL('../dist/hook.js', import.meta.url));
const SURFACE = 'A0000000-0000-4000-8000-000000000001';
const WORKSPACE = 'B0000000-0000-4000-8000-000000000001';
/** What the deadline promises. */
const DEADLINE_MS = 500;
/** Of a shared machine in the time of one run. */
const NOISE_MS = 250;
const SAMPLES = 7;

let folder: TempDir;
let gateway: FakeGateway;
beforeEach(async () => {
  folder = tempDir('sy-hook');
  gateway = await FakeGateway.start(join(folder.path, 'gateway.sock'));
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

type Request = { id: number; method: string; params: Record<string, unknown> };

/** Takes requests down; answers them unless told to keep silent. */
class FakeGateway {
  readonly requests: Request[] = [];
  readonly path: string;
  answers = true;
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(path: string) {
    this.path = path;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(path: string): Promise<FakeGateway> {
    const gateway = new FakeGateway(path);
    gateway.#server.listen(path);
    await once(gateway.#server, 'listening');
    return gateway;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.connections++;
    this.#sockets.add(socket);
    let rest = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const request = JSON.parse(line) as Request;
        this.requests.push(request);
        if (this.answers) socket.write(`${JSON.stringify({ id: request.id, ok: true, result: {} })}\n`);
      }
    });
  }
}

const inYard = () => ({
  ...outside(),
  SWITCHYARD_SOCKET: gateway.path,
  SWITCHYARD_SURFACE_ID: SURFACE,
  SWITCHYARD_WORKSPACE_ID: WORKSPACE,
});
const outside = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', HOME: folder.path });

interface HookRun {
  readonly code: number | null;
  readonly output: string;
  readonly ms: number;
}

/** @param input null: the pipe stays open and nothing comes */
async function run(argv: readonly string[], input: string | null, env: Record<string, string>): Promise<HookRun> {
  const started = performance.now();
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { env, stdio: 'pipe' });
  const output = collect(child);
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(input);
  const [code] = (await once(child, 'exit')) as [number | null];
  const ms = performance.now() - started;
  child.stdin.destroy();
  return { code, output: await output, ms };
}

async function collect({ stdout, stderr }: ChildProcess): Promise<string> {
  let text = '';
  stdout?.on('data', (chunk) => (text += chunk));
  stderr?.on('data', (chunk) => (text += chunk));
  await Promise.all([stdout, stderr].map((stream) => stream && once(stream, 'close')));
  return text;
}

const hook = (agent: string, event: string, payload: unknown, env = inYard()) =>
  run([process.execPath, HOOK, agent, event, '--integration', '1'], JSON.stringify(payload), env);
const silent = { code: 0, output: '' };
const reports = () => gateway.requests.map(({ method, params }) => [method, params['state'] ?? params['session_id']]);

describe('sy hook', () => {
  it('reports the session and the state of an event, with a number that rises', async () => {
    const payload = {
      session_id: 's1',
      transcript_path: '/t/s1.jsonl',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'x',
    };
    expect(await hook('claude', 'UserPromptSubmit', payload)).toMatchObject(silent);
    expect(gateway.requests).toEqual([
      {
        id: 1,
        method: 'surface.report_agent_session',
        params: expect.objectContaining({
          surface_id: SURFACE,
          workspace_id: WORKSPACE,
          agent: 'claude-code',
          session_id: 's1',
          transcript_path: '/t/s1.jsonl',
        }),
      },
      {
        id: 2,
        method: 'surface.report_agent_state',
        params: expect.objectContaining({ state: 'working', source: 'hooks', reporter: 'hook:claude' }),
      },
    ]);
    await hook('claude', 'Stop', { session_id: 's1' });
    const [, first, second] = gateway.requests.map(({ params }) => params['seq'] as number);
    expect(second).toBeGreaterThan(first ?? Number.NaN);
    expect(Number.isSafeInteger(second)).toBe(true);
  });

  it('is the same as a command of sy', async () => {
    const result = await run([process.execPath, CLI, 'hook', 'codex', 'Stop'], '{"session_id":"s"}', inYard());
    expect(result).toMatchObject(silent);
    expect(reports()).toEqual([['surface.report_agent_state', 'idle']]);
  });

  it('does nothing outside a terminal of a yard', async () => {
    expect(await hook('claude', 'Stop', {}, outside() as never)).toMatchObject(silent);
    expect(await hook('claude', 'Stop', {}, { ...inYard(), SWITCHYARD_SURFACE_ID: '' })).toMatchObject(silent);
    expect(gateway.connections).toBe(0);
  });

  it('says nothing for an agent, an event or a sub-agent that tells nothing', async () => {
    await hook('nobody', 'Stop', {});
    await hook('claude', 'Whatever', {});
    await hook('claude', '__proto__', {});
    await hook('claude', 'Stop', { session_id: 's1', agent_id: 'sub' });
    expect(gateway.connections).toBe(0);
  });

  it('lets go of a yard that does not answer within half a second', async () => {
    gateway.answers = false;
    const bare = await run([process.execPath, '-e', '0'], '', outside());
    const { code, output, ms } = await hook('claude', 'Stop', { session_id: 's1' });
    expect({ code, output }).toEqual(silent);
    expect(ms).toBeLessThan(DEADLINE_MS + bare.ms + NOISE_MS);
    expect(reports()).toEqual([['surface.report_agent_state', 'idle']]);
  });

  it('lets go of an agent that never closes the pipe, and takes what is whole', async () => {
    const bare = await run([process.execPath, '-e', '0'], '', outside());
    const { code, output, ms } = await run([process.execPath, HOOK, 'claude', 'Stop'], null, inYard());
    expect({ code, output }).toEqual(silent);
    expect(ms).toBeLessThan(DEADLINE_MS + bare.ms + NOISE_MS);
    const child = spawn(process.execPath, [HOOK, 'claude', 'Stop'], { env: inYard(), stdio: 'pipe' });
    child.stdin.write('{"session_id":"s1"}');
    await once(child, 'exit');
    child.stdin.destroy();
    expect(reports()).toEqual([['surface.report_agent_state', 'idle']]);
  });

  it.each([
    ['no JSON', 'oops', 'idle'],
    ['nothing', '', 'idle'],
    ['a list', '[1]', 'idle'],
    ['a tool result of two megabytes', JSON.stringify({ session_id: 's1', x: 'y'.repeat(2_000_000) }), 'idle'],
  ])('reports the state when its payload is %s', async (_, input, state) => {
    expect(await run([process.execPath, HOOK, 'claude', 'Stop'], input, inYard())).toMatchObject(silent);
    expect(reports()).toEqual([['surface.report_agent_state', state]]);
  });

  it('knows a sub-agent also by a payload that is cut off', async () => {
    const payload = { session_id: 's1', agent_id: 'sub', tool_response: 'y'.repeat(2_000_000) };
    await hook('claude', 'PostToolUse', payload);
    expect(gateway.connections).toBe(0);
  });

  it('is silent when the yard is gone', async () => {
    const env = { ...inYard(), SWITCHYARD_SOCKET: join(folder.path, 'nowhere.sock') };
    expect(await hook('claude', 'Stop', {}, env)).toMatchObject(silent);
  });

  it('takes back the state when the agent ends', async () => {
    await hook('claude', 'SessionEnd', { session_id: 's1', reason: 'prompt_input_exit' });
    await hook('claude', 'SessionEnd', { session_id: 's1', reason: 'clear' });
    expect(gateway.requests.map(({ method }) => method)).toEqual(['surface.clear_agent_state']);
  });

  it('starts in well under 100 ms, hardly later than node itself', async () => {
    const times = { bare: [] as number[], hook: [] as number[] };
    for (let i = 0; i < SAMPLES; i++) {
      times.bare.push((await run([process.execPath, '-e', '0'], '', outside())).ms);
      times.hook.push((await hook('claude', 'Stop', { session_id: 's1' })).ms);
    }
    const [bare, own] = [Math.min(...times.bare), Math.min(...times.hook)];
    expect(own, `node alone takes ${bare} ms here`).toBeLessThan(Math.max(100, 2 * bare));
  });
});

describe('an agent inside an agent', () => {
  /** A program of that name that runs what it is told. */
  function agent(name: string): string {
    const path = join(folder.path, name);
    mkdirSync(folder.path, { recursive: true });
    const text = `#!${process.execPath}\nconst { spawnSync } = require('node:child_process');\nconst [program, ...args] = process.argv.slice(2);\nspawnSync(program, args, { stdio: 'inherit' });\n`;
    writeFileSync(path, text, { mode: 0o755 });
    return path;
  }
  const call = [process.execPath, HOOK, 'claude', 'UserPromptSubmit'];
  const payload = JSON.stringify({ session_id: 'nested', transcript_path: '/t' });

  it('D15: says which session it has, as a nested one, and nothing about the state', async () => {
    const claude = agent('claude');
    await run([claude, '/bin/sh', '-c', '"$@"; :', 'sh', claude, ...call], payload, inYard());
    expect(gateway.requests.map(({ method }) => method)).toEqual(['surface.report_agent_session']);
    expect(gateway.requests[0]?.params).toMatchObject({ session_id: 'nested', nested: true, agent: 'claude-code' });
  });

  it('counts a launcher of the same agent as the agent', async () => {
    const claude = agent('claude');
    await run([claude, claude, ...call], payload, inYard());
    expect(reports()).toEqual([
      ['surface.report_agent_session', 'nested'],
      ['surface.report_agent_state', 'working'],
    ]);
    expect(gateway.requests[0]?.params).not.toHaveProperty('nested');
    await waitFor('it names a process', () => typeof gateway.requests[0]?.params['pid'] === 'number');
  });

  it('goes by the process when an agent runs the hooks of another', async () => {
    await run([agent('grok'), ...call], payload, inYard());
    expect(gateway.requests.map(({ params }) => params['agent'])).toEqual(['grok', 'grok']);
  });
});
