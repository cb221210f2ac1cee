import type { Params } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard } from './fake-yard.js';

type Look = Params<'surface.observe'>;
type Verdict = NonNullable<Look['verdict']>;

let yard: FakeYard;
let surface_id: string;
let workspace_id: string;

beforeEach(async () => {
  yard = await startFakeYard();
  ({ surface_id, workspace_id } = await yard.call('workspace.create', {}));
  // So that its surfaces can be closed.
  await yard.call('surface.create', { workspace_id });
});
afterEach(() => yard.end());

/** As the gateway gives them: the time-out of the method and a margin. */
const within = (ms: number) => ({ deadline: performance.now() + ms + 10_000 });
const refused = (code: string, data: object = {}) =>
  expect.objectContaining({ code, data: expect.objectContaining(data) });
const report = (state: string, more: object = {}) =>
  yard.call('surface.report_agent_state', { workspace_id, surface_id, state, ...more });
const waitForState = (agent_state: string, timeout_ms = 3000) =>
  yard.call('surface.wait', { surface_id, agent_state, timeout_ms }, within(timeout_ms));
const row = async () => {
  const { surfaces } = await yard.call('surface.list', { workspace_id });
  const found = surfaces.find(({ id }) => id === surface_id);
  if (!found) throw new Error('the surface is gone');
  return found;
};

let rev = 0;
const process = (pid: number) => ({
  pid,
  pgid: pid,
  start_time: pid * 10,
  names: ['claude'],
  argv: ['claude'],
  hint: null,
});
const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  rev,
  agent: 'claude-code',
  recognized_via: 'process',
  activity: 'idle',
  question: null,
  state: 'idle',
  rule: 'idle',
  skip: false,
  certain: true,
  unmarked: false,
  evidence: [{ kind: 'screen', rule: 'idle', text: '❯' }],
  ...more,
});
/** What the pty-host tells after a look at the terminal. */
const observe = (more: Partial<Look> & { pid?: number; says?: Partial<Verdict> } = {}, id = surface_id) => {
  const { pid = 100, says, ...rest } = more;
  rev++;
  const look = { surface_id: id, at: Date.now(), rev, foreground: process(pid), program: null };
  return yard.call('surface.observe', { ...look, verdict: verdict(says), ...rest });
};
const working = { activity: 'working', state: 'working' } as const;
const asking = { state: 'blocked', question: { kind: 'permission', excerpt: 'Proceed?' } } as const;

describe('surface.report_agent_state', () => {
  it('shows in surface.list until it is cleared', async () => {
    expect(await row()).toMatchObject({ agent_state: null, agent_state_source: null, agent_since: null });
    expect(await report('working')).toMatchObject({ state: 'working', source: 'hooks', accepted: true, surface_id });
    expect(await row()).toMatchObject({ agent_state: 'working', agent_state_source: 'hooks' });
    await report('blocked', { message: 'May I?', question: 'permission' });
    expect((await row()).agent_question).toEqual({ kind: 'permission', excerpt: 'May I?' });
    await yard.call('surface.clear_agent_state', { workspace_id, surface_id });
    expect(await row()).toMatchObject({ agent_state: null, agent_state_source: null });
  });

  it('refuses another state, and nothing changes', async () => {
    await report('blocked');
    await expect(report('sleeping')).rejects.toEqual(expect.objectContaining({ code: 'invalid_params' }));
    expect((await row()).agent_state).toBe('blocked');
  });

  it('answers ok for what does not exist, and needs both ids (decision 6)', async () => {
    const nobody = { workspace_id: 'workspace:99', surface_id: 'surface:99' };
    const answer = await yard.call('surface.report_agent_state', { ...nobody, state: 'idle' });
    expect(answer).toMatchObject({ ...nobody, workspace_ref: null, surface_ref: null, accepted: false });
    expect(await yard.call('surface.clear_agent_state', nobody)).toMatchObject(nobody);
    for (const wrong of [{ surface_id: 'nonsense' }, { workspace_id: 'nonsense' }]) {
      await expect(report('idle', wrong)).rejects.toEqual(expect.objectContaining({ code: 'invalid_params' }));
    }
  });

  it('drops a report that is older than the last of the same reporter', async () => {
    await report('working', { reporter: 'claude', seq: 5 });
    expect(await report('idle', { reporter: 'claude', seq: 4 })).toMatchObject({ accepted: false });
    expect((await row()).agent_state).toBe('working');
    expect(await report('idle', { reporter: 'other', seq: 1 })).toMatchObject({ accepted: true });
    expect((await row()).agent_state).toBe('idle');
  });

  it('is not overruled by a report that is only inferred (programa-api §9.5)', async () => {
    await report('working');
    expect(await report('idle', { source: 'inferred' })).toMatchObject({ accepted: false });
    await yard.call('surface.clear_agent_state', { workspace_id, surface_id });
    expect(await report('idle', { source: 'inferred' })).toMatchObject({ accepted: true, source: 'inferred' });
    expect(await row()).toMatchObject({ agent_state: 'idle', agent_state_source: 'inferred' });
  });

  it('is told to the bus, once for each change', async () => {
    await report('working');
    await report('working');
    await report('idle');
    const told = yard.published('agent.state_changed');
    expect(told).toMatchObject([
      { surface_id, workspace_id, state: 'working', source: 'hooks', evidence: ['hooks: hooks: working'] },
      { surface_id, state: 'idle' },
    ]);
  });

  it.each(['restart', 'crash'] as const)('is still there after a %s', async (how) => {
    await report('working', { reporter: 'claude', seq: 5 });
    await yard[how]();
    expect(await row()).toMatchObject({ agent_state: 'working', agent_state_source: 'hooks' });
    expect(await report('idle', { reporter: 'claude', seq: 5 })).toMatchObject({ accepted: false });
  });
});

describe('workspace.set_agent_pid', () => {
  it('echoes, also for what does not exist', async () => {
    const set = { workspace_id, key: 'claude', pid: 17 };
    expect(await yard.call('workspace.set_agent_pid', set)).toMatchObject(set);
    expect(await yard.call('workspace.clear_agent_pid', { workspace_id, key: 'claude' })).toMatchObject({
      key: 'claude',
    });
    const nobody = { ...set, workspace_id: 'workspace:99' };
    expect(await yard.call('workspace.set_agent_pid', nobody)).toMatchObject({ workspace_ref: null, pid: 17 });
    const long = { ...set, key: 'é'.repeat(300) };
    await expect(yard.call('workspace.set_agent_pid', long)).rejects.toEqual(
      expect.objectContaining({ code: 'invalid_params' }),
    );
  });
});

describe('surface.wait {agent_state} (programa-api §7.1)', () => {
  it('idle is true at once where nothing was ever reported', async () => {
    expect(await waitForState('idle')).toMatchObject({
      condition: 'agent_state',
      waited: false,
      state: null,
      source: null,
    });
  });

  it('answers a state that comes later, and one that is there', async () => {
    const wait = waitForState('blocked');
    await report('working');
    await report('blocked');
    expect(await wait).toMatchObject({ waited: true, state: 'blocked', source: 'hooks' });
    expect(await waitForState('blocked')).toMatchObject({ waited: false });
  });

  it('any_change takes the next change only; a clear is one', async () => {
    await report('working');
    const first = waitForState('any_change');
    await report('working');
    await report('idle');
    expect(await first).toMatchObject({ waited: true, state: 'idle' });
    const second = waitForState('any_change');
    await yard.call('surface.clear_agent_state', { workspace_id, surface_id });
    expect(await second).toMatchObject({ waited: true, state: null, source: null });
  });

  it('times out', async () => {
    await report('working');
    await expect(waitForState('blocked', 30)).rejects.toEqual(refused('timeout', { timeout_ms: 30, state: 'working' }));
  });

  it('needs exactly one condition', async () => {
    for (const more of [{ pattern: 'x' }, { exit: true }]) {
      const both = yard.call('surface.wait', { surface_id, agent_state: 'idle', ...more });
      await expect(both).rejects.toEqual(expect.objectContaining({ code: 'invalid_params' }));
    }
  });

  it('C10: ends at once when the surface is closed', async () => {
    await report('working');
    const closed = waitForState('idle', 60_000);
    await yard.call('surface.close', { surface_id });
    await expect(closed).rejects.toEqual(refused('not_found', { surface_id }));
    await expect(waitForState('idle')).rejects.toEqual(refused('not_found'));
  });

  it('C10: ends at once when the program ends', async () => {
    await report('working');
    const ended = waitForState('idle', 60_000);
    yard.host.exit(surface_id);
    await expect(ended).rejects.toEqual(refused('not_found', { surface_id }));
  });

  it('misses no change that came while the service was restarted', async () => {
    await report('working');
    const asked = { surface_id, agent_state: 'any_change', timeout_ms: 60_000 };
    const context = within(60_000);
    await waitFor('a moment passes', () => performance.now() > context.deadline - 70_000 + 2);
    await yard.crash();
    await report('blocked');
    // As the bus sends it again: with the deadline that it had.
    expect(await yard.call('surface.wait', asked, context)).toMatchObject({ waited: true, state: 'blocked' });
  });
});

describe('agent.list, agent.get', () => {
  it('have the agents that are seen or reported, with what they ask', async () => {
    expect((await yard.call('agent.list', {})).agents).toEqual([]);
    await observe({ says: { ...working, ...asking } });
    const [agent, ...others] = (await yard.call('agent.list', {})).agents;
    expect(others).toEqual([]);
    expect(agent).toMatchObject({
      surface_id,
      workspace_id,
      agent: 'claude-code',
      state: 'blocked',
      source: 'inferred',
      activity: 'working',
      question: { kind: 'permission', excerpt: 'Proceed?' },
      pid: 100,
    });
    expect(await yard.call('agent.get', { surface_id })).toEqual(agent);
    expect((await yard.call('agent.list', { workspace_id: 'workspace:1' })).agents).toEqual([]);
    await expect(yard.call('agent.get', { surface_id: 'surface:1' })).rejects.toEqual(refused('agent_not_running'));
    await expect(yard.call('agent.get', {})).rejects.toEqual(refused('invalid_params'));
  });

  it('takes looks in the order of their revisions', async () => {
    const late = { rev: rev + 1, at: Date.now() };
    rev++;
    await observe({ says: working });
    expect(await observe({ ...late, says: asking })).toEqual({ accepted: false });
    expect((await row()).agent_state).toBe('working');
    expect(await observe({}, '00000000-0000-4000-8000-000000000000')).toEqual({ accepted: false });
  });

  it('the state is gone with the process of the agent', async () => {
    await observe({ says: working });
    await observe({ pid: 200, says: { agent: null, recognized_via: null, activity: 'unknown', state: null } });
    expect(await row()).toMatchObject({ agent: null, agent_state: null });
    await expect(yard.call('agent.get', { surface_id })).rejects.toEqual(refused('agent_not_running'));
  });
});

describe('agent.wait', () => {
  const wait = (more: object = {}, ms = 5000) =>
    yard.call('agent.wait', { surface_id, timeout_ms: ms, ...more }, within(ms));

  it('answers a state that is there, or comes', async () => {
    await observe({ says: working });
    const idle = wait();
    await observe();
    expect(await idle).toMatchObject({ waited: true, state: 'idle', agent: 'claude-code' });
    expect(await wait({ until: ['idle', 'working'] })).toMatchObject({ waited: false });
    await expect(wait({ until: ['asleep'] })).rejects.toEqual(refused('invalid_params', { parameter: 'until' }));
    await expect(wait({ until: ['blocked'] }, 20)).rejects.toEqual(refused('timeout', { state: 'idle' }));
  });

  it('is not answered by another run of the agent', async () => {
    await observe({ says: working });
    const idle = wait();
    await observe({ pid: 200 });
    await expect(idle).rejects.toEqual(refused('agent_not_running', { surface_id, agent: 'claude-code' }));
  });

  it.each([
    ['its terminal is closed', () => yard.call('surface.close', { surface_id })],
    ['its program ends', async () => yard.host.exit(surface_id)],
    ['it is not seen any more', () => observe({ pid: 300, says: { agent: null, recognized_via: null, state: null } })],
  ])('C10: ends at once when %s', async (_, end) => {
    await observe({ says: working });
    const idle = wait({}, 60_000);
    await end();
    await expect(idle).rejects.toEqual(refused('agent_not_running', { surface_id }));
  });

  it('ends where no agent runs', async () => {
    await expect(wait()).rejects.toEqual(refused('agent_not_running'));
  });

  it('that is sent again after a restart does not take another agent for the one that was meant', async () => {
    await observe({ says: working });
    const context = within(60_000);
    const asked = { surface_id, timeout_ms: 60_000 };
    await waitFor('a moment passes', () => performance.now() > context.deadline - 70_000 + 2);
    await yard.crash();
    await observe({ pid: 200 });
    await expect(yard.call('agent.wait', asked, context)).rejects.toEqual(refused('agent_not_running'));
  });
});

describe('agent.interrupt', () => {
  it.each([
    ['claude-code', 'escape'],
    ['aider', 'ctrl-c'],
    ['something-new', 'ctrl-c'],
  ])('presses the key of %s', async (agent, key) => {
    await observe({ says: { agent } });
    expect(await yard.call('agent.interrupt', { surface_id })).toMatchObject({ agent, key });
    expect((await yard.call('surface.read_text', { surface_id })).text).toContain(`<${key}>`);
  });

  it('presses nothing where the agent is not the one that was meant, or none is', async () => {
    await expect(yard.call('agent.interrupt', { surface_id })).rejects.toEqual(refused('agent_not_running'));
    await observe();
    const other = yard.call('agent.interrupt', { surface_id, agent: 'codex' });
    await expect(other).rejects.toEqual(refused('agent_not_running', { agent: 'claude-code', expected: 'codex' }));
    expect((await yard.call('surface.read_text', { surface_id })).text).toBe('');
  });
});

describe('agent.start', () => {
  const start = (more: object = {}, context: object = {}) =>
    yard.call(
      'agent.start',
      { kind: 'claude', workspace_id, timeout_ms: 5000, ...more },
      { ...within(5000), ...context },
    );
  const opened = async () => {
    const before = yard.host.terminals.size;
    return waitFor(
      'its terminal is opened',
      () => yard.host.terminals.size > before && [...yard.host.terminals.keys()].at(-1),
    );
  };

  it('answers when the agent is recognised and has settled', async () => {
    const id = opened();
    const started = start({ args: ['--model', 'opus'], name: 'reviewer', env: { A: 'b' } });
    await observe({ says: working }, await id);
    await observe({}, await id);
    expect(await started).toMatchObject({
      surface_id: await id,
      workspace_id,
      agent: 'claude-code',
      state: 'idle',
      name: 'reviewer',
    });
    const { argv, env } = yard.host.opened(await id);
    expect(argv).toEqual(['claude', '--model', 'opus']);
    expect(env).toMatchObject({ A: 'b', SWITCHYARD_AGENT: 'claude-code' });
    expect(await yard.call('agent.get', { name: 'reviewer' })).toMatchObject({ surface_id: await id });
    await expect(start({ name: 'reviewer' })).rejects.toEqual(refused('agent_name_taken', { name: 'reviewer' }));
  });

  it('a name is free again when its agent has ended', async () => {
    const id = opened();
    const started = start({ name: 'reviewer' });
    await observe({}, await id);
    await started;
    yard.host.exit(await id);
    await waitFor('the name is free', () =>
      yard.call('agent.get', { name: 'reviewer' }).then(
        () => false,
        () => true,
      ),
    );
    const next = opened();
    const again = start({ name: 'reviewer', new_workspace: true });
    await observe({}, await next);
    expect((await again).workspace_id).not.toBe(workspace_id);
  });

  it('says so when the agent ends as it starts, with its last screen', async () => {
    for (const remain_on_exit of [false, true]) {
      const id = opened();
      const started = start({ remain_on_exit });
      yard.host.print(await id, 'no API key');
      yard.host.exit(await id, 1);
      await expect(started).rejects.toEqual(
        refused('agent_not_running', { surface_id: await id, screen: 'no API key' }),
      );
    }
  });

  it('times out with the screen, and leaves the terminal there', async () => {
    const id = opened();
    const started = start({ timeout_ms: 50 }, within(50));
    yard.host.print(await id, 'loading');
    await expect(started).rejects.toEqual(
      refused('timeout', { timeout_ms: 50, surface_id: await id, screen: 'loading' }),
    );
    expect((await yard.call('surface.list', { workspace_id })).surfaces.map(({ id: one }) => one)).toContain(await id);
  });

  it('knows no command for an unknown kind, but runs one that is given', async () => {
    await expect(start({ kind: 'my-agent' })).rejects.toEqual(refused('invalid_params', { parameter: 'kind' }));
    const id = opened();
    const started = start({ kind: 'my-agent', command: ['node', 'agent.js'] });
    await observe({ says: { agent: 'my-agent' } }, await id);
    expect(await started).toMatchObject({ agent: 'my-agent' });
    expect(yard.host.opened(await id).argv).toEqual(['node', 'agent.js']);
  });

  it('is started once however often the request is sent', async () => {
    const id = opened();
    const request = { requestId: 'start-1' };
    // Its service dies with it.
    start({}, request).catch(() => undefined);
    await id;
    await yard.crash();
    const again = start({}, request);
    await observe({}, await id);
    expect(await again).toMatchObject({ surface_id: await id });
    const { spawns } = yard.host;
    expect(await start({}, request)).toMatchObject({ surface_id: await id });
    expect(yard.host.spawns).toBe(spawns);
  });
});
