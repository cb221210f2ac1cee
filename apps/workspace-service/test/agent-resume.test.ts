import type { Params } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard } from './fake-yard.js';

type Look = Params<'surface.observe'>;

let yard: FakeYard;
let surface_id: string;

beforeEach(async () => {
  yard = await startFakeYard();
});
afterEach(() => yard.end());

const refused = (code: string, data: object = {}) =>
  expect.objectContaining({ code, data: expect.objectContaining(data) });
const converse = (session_id: string, agent = 'codex', id = surface_id) =>
  yard.call('surface.report_agent_session', { surface_id: id, agent, session_id });
const resume = (more: object = {}) => yard.call('agent.resume', { surface_id, timeout_ms: 5000, ...more });

let rev = 0;
/** What the pty-host tells of an agent that waits for its person. */
async function appears(agent: string, id = surface_id): Promise<void> {
  rev++;
  const { pid } = yard.host.terminals.get(id)?.status ?? { pid: 0 };
  const foreground = { pid, pgid: pid, start_time: pid, names: [agent], argv: [agent], hint: null };
  const verdict = {
    rev,
    agent,
    recognized_via: 'process',
    activity: 'idle',
    question: null,
    state: 'idle',
    rule: 'idle',
    skip: false,
    certain: true,
    unmarked: false,
    evidence: [],
  };
  await yard.call('surface.observe', {
    surface_id: id,
    at: Date.now(),
    rev,
    foreground,
    verdict,
    program: null,
  } as Look);
}

describe('agent.resume of an agent whose program has ended', () => {
  beforeEach(async () => {
    ({ surface_id } = await yard.call('surface.create', {
      argv: ['codex', 'do it'],
      cwd: '/srv',
      remain_on_exit: true,
    }));
  });

  it('starts it again in its place, with its conversation and without its old arguments', async () => {
    await converse('0199-aa');
    yard.host.exit(surface_id);
    await waitFor('the exit', async () =>
      (await yard.call('surface.list', {})).surfaces.some(({ exit }) => exit !== null),
    );
    const resumed = resume({ args: ['--model', 'o'] });
    await waitFor('its start', () => yard.host.opened(surface_id).argv[1] === 'resume');
    await appears('codex');
    expect(await resumed).toMatchObject({ surface_id, agent: 'codex', session: { session_id: '0199-aa' } });
    const { argv, cwd, env } = yard.host.opened(surface_id);
    expect(argv).toEqual(['codex', 'resume', '0199-aa', '--model', 'o']);
    expect([cwd, env['SWITCHYARD_AGENT']]).toEqual(['/srv', 'codex']);
  });

  it('is still possible after a restart of everything', async () => {
    await converse('0199-bb');
    await yard.stop();
    yard.host.reboot();
    await yard.start();
    await waitFor('the exit', async () =>
      (await yard.call('surface.list', {})).surfaces.some(({ exit }) => exit !== null),
    );
    const resumed = resume();
    await waitFor('its start', () => yard.host.terminals.has(surface_id));
    await appears('codex');
    expect(await resumed).toMatchObject({ agent: 'codex' });
    expect(yard.host.opened(surface_id).argv).toEqual(['codex', 'resume', '0199-bb']);
  });

  it('is refused while the conversation goes on elsewhere', async () => {
    await converse('0199-cc');
    yard.host.exit(surface_id);
    const { surface_id: other } = await yard.call('surface.create', {});
    await converse('0199-cc', 'codex', other);
    await appears('codex', other);
    await expect(resume()).rejects.toEqual(refused('invalid_state', { surface_id: other }));
  });

  it('needs a conversation, an agent that documents how, and an id that is one', async () => {
    await expect(resume()).rejects.toEqual(refused('not_found'));
    await converse('x', 'aider');
    await expect(resume()).rejects.toEqual(refused('not_supported', { agent: 'aider' }));
    await converse('--dangerous; rm -rf ~');
    await expect(resume()).rejects.toEqual(refused('not_supported'));
    await expect(resume({ session_id: 'other' })).rejects.toEqual(refused('not_found'));
  });
});

/** A sample of a screen with nothing on it. */
const BLANK = {
  rev: 0,
  offset: 0,
  at: 0,
  cols: 80,
  rows: 24,
  lines: [],
  cursor: { row: 0, col: 0, visible: true },
  alternate: false,
  title: '',
  progress: null,
};

describe('agent.resume in a shell', () => {
  const foreground = (pid: number) => {
    const found = { pid, pgid: pid, start_time: pid, names: ['vim'], argv: ['vim'], hint: null };
    yard.others['terminal.sample'] = ({ surface_id: id }) => ({ ...BLANK, surface_id: id, foreground: found });
  };

  beforeEach(async () => {
    await yard.restart();
    surface_id = (await yard.call('surface.current', {})).surface_id ?? '';
    await converse('1d0e', 'claude-code');
  });

  it('types the command when the shell waits at its prompt', async () => {
    foreground(yard.host.terminals.get(surface_id)?.status.pid ?? 0);
    await yard.restart();
    const resumed = resume();
    await waitFor('the command', () => yard.host.terminals.get(surface_id)?.text === 'claude --resume 1d0e\n');
    await appears('claude-code');
    expect(await resumed).toMatchObject({ surface_id, agent: 'claude-code' });
    await expect(resume()).rejects.toEqual(refused('invalid_state'));
  });

  it('types nothing while another program has the terminal', async () => {
    foreground(4711);
    await yard.restart();
    await expect(resume()).rejects.toEqual(refused('invalid_state', { foreground: 'vim' }));
    expect(yard.host.terminals.get(surface_id)?.text).toBe('');
  });
});
