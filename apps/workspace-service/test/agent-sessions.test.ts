import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeYard } from './fake-yard.js';

let yard: FakeYard;
beforeEach(async () => {
  yard = new FakeYard();
  await yard.start();
});
afterEach(() => yard.end());

const CLAUDE = {
  rev: 1,
  agent: 'claude-code',
  recognized_via: 'process',
  activity: 'idle',
  question: null,
  state: 'idle',
  rule: null,
  skip: false,
  certain: true,
  unmarked: false,
  evidence: [],
} as const;
const first = async () => (await yard.call('surface.list', {})).surfaces[0] ?? expect.fail('the yard has a terminal');
const report = async (surface_id: string, session_id: string, more: object = {}) =>
  (await yard.call('surface.report_agent_session', { surface_id, agent: 'claude-code', session_id, ...more })).role;

describe('agent sessions', () => {
  it('are told with the surface and survive a restart', async () => {
    const { id, agent_session_id } = await first();
    expect(agent_session_id).toBeNull();
    expect(await report(id, 's1', { transcript_path: '/t/s1.jsonl', start_reason: 'startup', pid: 42 })).toBe('root');
    await yard.restart();
    expect((await first()).agent_session_id).toBe('s1');
    expect(await yard.call('agent.sessions', { surface_id: id })).toMatchObject({
      current: { session_id: 's1', transcript_path: '/t/s1.jsonl', start_reason: 'startup', pid: 42 },
      earlier: [],
      children: [],
    });
  });

  it('D15: /clear replaces the session, a nested agent does not', async () => {
    const { id } = await first();
    await report(id, 's1', { start_reason: 'startup', seq: 1 });
    expect(await report(id, 's2', { start_reason: 'clear', seq: 2 })).toBe('root');
    expect(await report(id, 'n1', { nested: true, seq: 3 })).toBe('child');
    expect(await report(id, 's1', { seq: 1 })).toBe('ignored');
    const { current, earlier, children } = await yard.call('agent.sessions', { surface_id: id });
    expect(current).toMatchObject({ session_id: 's2', start_reason: 'clear' });
    expect([earlier, children].map((list) => list.map(({ session_id }) => session_id))).toEqual([['s1'], ['n1']]);
  });

  it('D16: of two terminals that name one session each knows of the other', async () => {
    const { id } = await first();
    const other = (await yard.call('surface.create', {})).surface_id;
    await report(id, 's1');
    await report(other, 's1');
    expect((await yard.call('agent.sessions', { surface_id: id })).also_in).toEqual([other]);
    await report(other, 's2');
    expect((await yard.call('agent.sessions', { surface_id: id })).also_in).toEqual([]);
  });

  it('D16: what ended with the yard is not started again by itself, nor while its conversation goes on elsewhere', async () => {
    const argv = ['claude', '--resume', 's1'];
    const { surface_id } = await yard.call('surface.create', { argv });
    await report(surface_id, 's1');
    const spawns = yard.host.spawns;
    await yard.crash();
    await waitFor('its session', async () => (await yard.call('agent.sessions', { surface_id })).current !== null);
    expect(yard.host.spawns, 'it lives, and is taken over').toBe(spawns);
    yard.host.exit(surface_id, 0, { reason: 'lost' });
    const { id: other } = await first();
    await report(other, 's1');
    const foreground = { pid: 7, pgid: 7, start_time: 1, names: ['claude'], argv, hint: null };
    const look = { surface_id: other, at: Date.now(), rev: 1, foreground, program: null, verdict: CLAUDE };
    await yard.call('surface.observe', look);
    await expect(yard.call('surface.respawn', { surface_id })).rejects.toMatchObject({
      code: 'invalid_state',
      data: { surface_id: other },
    });
    await yard.call('surface.observe', { ...look, rev: 2, foreground: null, verdict: { ...CLAUDE, agent: null } });
    await yard.call('surface.respawn', { surface_id });
    expect(yard.host.opened(surface_id).argv).toEqual(argv);
  });

  it('are no error for a terminal that is gone, but for a name that is none', async () => {
    expect(await report('A0000000-0000-4000-8000-00000000FFFF', 's1')).toBe('ignored');
    await expect(report('nonsense', 's1')).rejects.toMatchObject({ code: 'invalid_params' });
  });
});
