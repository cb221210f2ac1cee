import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Integrations, targetNamed } from '@switchyard/integrations';
import { type TempDir, tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let folder: TempDir;
beforeEach(() => {
  folder = tempDir('sy-plugins');
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

type Facts = Record<string, unknown>;
interface Told {
  readonly args: string[];
  readonly payload: Facts;
}

/** Installs an agent's plugin into an empty home, with a launcher that only takes down what it is told. */
async function installed(agent: string): Promise<string> {
  const target = targetNamed(agent) ?? expect.fail(`no target ${agent}`);
  const programs = { node: process.execPath, hook: '/nowhere', cli: '/nowhere' };
  const integrations = new Integrations({ env: {}, home: folder.path, programs });
  const changes = await integrations.perform(target, 'install');
  const launcher = changes[0]?.path ?? '';
  const log = join(folder.path, 'told');
  mkdirSync(log);
  writeFileSync(
    launcher,
    `#!/bin/sh\nname=$(mktemp ${log}/XXXXXXXX)\n{ echo "$*"; cat; } > "$name.part"; mv "$name.part" "$name"\n`,
  );
  return changes.at(-1)?.path ?? '';
}

/** What the launcher was told, in the order of the numbers that the plugin gave. */
async function told(count: number): Promise<Told[]> {
  const log = join(folder.path, 'told');
  const all = () =>
    readdirSync(log)
      .filter((name) => !name.endsWith('.part'))
      .map((name) => readFileSync(join(log, name), 'utf8').split('\n', 2))
      .filter(([, json]) => json)
      .map(([args = '', json = '{}']): Told => ({ args: args.split(' '), payload: JSON.parse(json) }))
      .sort((a, b) => Number(a.payload['seq']) - Number(b.payload['seq']));
  await waitFor(`the launcher was told ${count} things`, () => all().length >= count);
  return all();
}
const events = (all: readonly Told[]) => all.map(({ args }) => args[2]);

function enterYard(): void {
  vi.stubEnv('SWITCHYARD_SOCKET', '/tmp/gateway.sock');
  vi.stubEnv('SWITCHYARD_SURFACE_ID', 'A0000000-0000-4000-8000-000000000001');
}

describe.each(['opencode', 'kilo'])('the plugin of %s', (agent) => {
  type Plugin = { event?: (input: { event: { type: string; properties: Facts } }) => Promise<void> };
  const load = async (path: string): Promise<Plugin> => (await import(pathToFileURL(path).href)).Switchyard();
  const send = async (plugin: Plugin, type: string, properties: Facts) =>
    plugin.event?.({ event: { type, properties } });

  it('tells the state once for each change, from the events of a recorded run', async () => {
    const path = await installed(agent);
    enterYard();
    const plugin = await load(path);
    const sessionID = 'ses_1';
    const status = (type: string) => send(plugin, 'session.status', { sessionID, status: { type } });
    await send(plugin, 'session.created', { sessionID, info: { id: sessionID } });
    await status('busy');
    await status('busy');
    await send(plugin, 'permission.asked', {
      id: 'per_1',
      sessionID,
      permission: 'bash',
      patterns: ['touch hello.txt'],
    });
    await send(plugin, 'permission.replied', { sessionID, requestID: 'per_1', reply: 'once' });
    await status('busy');
    await status('idle');
    await send(plugin, 'session.idle', { sessionID });
    const all = await told(5);
    expect(events(all)).toEqual(['session', 'working', 'blocked', 'working', 'idle']);
    expect(all[0]).toMatchObject({ args: ['hook', agent, 'session'], payload: { session_id: sessionID } });
    expect(all[2]?.payload).toMatchObject({ question: 'permission', message: 'bash: touch hello.txt' });
  });

  it('keeps child sessions apart, but not what they ask the person', async () => {
    const path = await installed(agent);
    enterYard();
    const plugin = await load(path);
    await send(plugin, 'session.created', { info: { id: 'root' } });
    await send(plugin, 'session.status', { sessionID: 'root', status: { type: 'busy' } });
    await send(plugin, 'session.created', { info: { id: 'child', parentID: 'root' } });
    await send(plugin, 'session.status', { sessionID: 'child', status: { type: 'busy' } });
    await send(plugin, 'permission.asked', { id: 'p', sessionID: 'child', permission: 'edit', patterns: ['a.ts'] });
    await send(plugin, 'permission.replied', { sessionID: 'child', requestID: 'p' });
    await send(plugin, 'session.idle', { sessionID: 'child' });
    await send(plugin, 'session.idle', { sessionID: 'root' });
    const all = await told(6);
    expect(events(all)).toEqual(['session', 'working', 'session', 'blocked', 'working', 'idle']);
    expect(all[2]?.payload).toMatchObject({ session_id: 'child', parent_session_id: 'root' });
    expect(all.at(-1)?.payload).toMatchObject({ session_id: 'root' });
  });

  it('survives events that it does not know', async () => {
    const path = await installed(agent);
    enterYard();
    const plugin = await load(path);
    await send(plugin, 'session.status', {});
    await send(plugin, 'session.created', {});
    await send(plugin, 'brand.new', {});
    await plugin.event?.({ event: { type: 'session.idle' } } as never);
  });

  it('is empty outside a terminal of a yard', async () => {
    expect(await load(await installed(agent))).toEqual({});
  });
});

describe.each(['pi', 'omp'])('the extension of %s', (agent) => {
  type Handler = (facts: Facts, context: Facts) => Promise<void>;
  const context = { hasUI: true, sessionManager: { getSessionId: () => 's1', getSessionFile: () => '/t/s1.jsonl' } };

  async function load(): Promise<Map<string, Handler>> {
    const handlers = new Map<string, Handler>();
    const extension = await import(/* @vite-ignore */ pathToFileURL(await installed(agent)).href);
    extension.default({ on: (event: string, handler: Handler) => handlers.set(event, handler) });
    return handlers;
  }

  it('tells the session and the state', async () => {
    enterYard();
    const handlers = await load();
    const fire = (event: string, facts: Facts = {}) => handlers.get(event)?.(facts, context);
    await fire('session_start', { reason: 'startup' });
    await fire('agent_start');
    await fire('agent_end');
    // Nothing follows, so the run is over.
    const all = await told(3);
    expect(events(all)).toEqual(['session', 'working', 'idle']);
    expect(all[0]?.payload).toMatchObject({ session_id: 's1', transcript_path: '/t/s1.jsonl' });
  });

  it('does not call the end of a run idle when another follows at once', async () => {
    enterYard();
    const handlers = await load();
    for (const event of ['agent_start', 'agent_end', 'agent_start']) await handlers.get(event)?.({}, context);
    await handlers.get('session_shutdown')?.({ reason: 'quit' }, context);
    expect(events(await told(3))).toEqual(['working', 'working', 'gone']);
  });

  it('is silent about runs without a screen', async () => {
    enterYard();
    const handlers = await load();
    await handlers.get('agent_start')?.({}, { ...context, hasUI: false });
    await handlers.get('session_shutdown')?.({}, context);
    expect(events(await told(1))).toEqual(['gone']);
  });

  it('listens to nothing outside a terminal of a yard', async () => {
    expect((await load()).size).toBe(0);
  });
});

it('omp: an approval blocks until it is answered', async () => {
  enterYard();
  const path = await installed('omp');
  const handlers = new Map<string, (facts: Facts, context: Facts) => Promise<void>>();
  (await import(/* @vite-ignore */ `${pathToFileURL(path).href}?approval`)).default({
    on: (event: string, handler: never) => handlers.set(event, handler),
  });
  for (const event of ['agent_start', 'tool_approval_requested', 'tool_approval_resolved']) {
    await handlers.get(event)?.({ toolName: 'bash' }, { hasUI: true });
  }
  const all = await told(3);
  expect(events(all)).toEqual(['working', 'blocked', 'working']);
  expect(all[1]?.payload).toMatchObject({ question: 'permission', message: 'bash' });
});

it('hermes: the plugin is Python that compiles, and registers its hooks only inside a yard', async () => {
  const path = await installed('hermes');
  if (spawnSync('python3', ['--version']).status !== 0) return;
  const program = [
    'import importlib.util, sys',
    'spec = importlib.util.spec_from_file_location("switchyard", sys.argv[1])',
    'plugin = importlib.util.module_from_spec(spec); spec.loader.exec_module(plugin)',
    'class Context:',
    '  def register_hook(self, name, fn): print(name); fn(session_id="s1"); fn(session_id="s2", parent_session_id="s1")',
    'plugin.register(Context())',
  ].join('\n');
  const run = (env: Record<string, string>) =>
    spawnSync('python3', ['-B', '-c', program, path], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      encoding: 'utf8',
    });
  expect(run({})).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const inside = run({ SWITCHYARD_SOCKET: '/s', SWITCHYARD_SURFACE_ID: 'A' });
  expect(inside).toMatchObject({ status: 0, stderr: '' });
  expect(events(await told(5))).toEqual(['session', 'working', 'blocked', 'working', 'idle']);
  expect(existsSync(path)).toBe(true);
});
