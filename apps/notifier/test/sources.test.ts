import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestNotifier } from './support/notifier.js';

let notifier: TestNotifier;
beforeEach(async () => {
  notifier = new TestNotifier();
  await notifier.start();
});
afterEach(() => notifier.end());

const hear = (signals: object[], surface_id = 'S1') =>
  notifier.bus.call('notification.hear', { surface_id, signals: signals as never });
const notice = (offset: number, body: string, title = '') => ({ offset, kind: 'notification', title, body });
const shown = async () => (await notifier.list()).map(({ reason, title, body }) => [reason, title, body]);
const untilListed = (count: number) =>
  waitFor(`${count} are listed`, async () => (await notifier.list()).length === count);
/** Long enough ago for everything that is held back. */
const LONG_AGO = 60_000;
const agentWas = (surfaceId: string, ...states: (string | [string, object])[]) => {
  states.forEach((given, i) => {
    const [state, question] = typeof given === 'string' ? [given, null] : given;
    const known = { agent: 'claude-code', state: state === 'gone' ? null : state, source: 'hooks' };
    const rest = { activity: 'unknown', question, since: 0, failed: false, previous: { state: null, source: null } };
    notifier.happens('agent.state_changed', surfaceId, { ...known, ...rest }, Date.now() - LONG_AGO + i * 5000);
  });
};

describe('what terminals hand over', () => {
  it('is taken once, however often a restarted pty-host hands it over', async () => {
    expect(await hear([notice(10, 'first'), notice(20, 'second', 'Build')])).toEqual({ heard_to: 20 });
    expect(await shown()).toEqual([['terminal', 'Build', 'second']]);
    await notifier.bus.call('notification.clear', {});
    await notifier.restart();
    expect(await hear([notice(10, 'first'), notice(20, 'second', 'Build')])).toEqual({ heard_to: 20 });
    expect(await shown()).toEqual([]);
    await hear([notice(20, 'second', 'Build'), notice(30, 'third')]);
    expect(await shown()).toEqual([['terminal', 'title S1', 'third']]);
    expect(notifier.kinds().filter((kind) => kind === 'notification.created')).toHaveLength(3);
  });

  it('is cleaned, since a program chose it', async () => {
    await hear([notice(10, 'line\u0085 \u202ereversed \u009b31mred', 'a\u001b[1mb')]);
    expect(await shown()).toEqual([['terminal', 'ab', 'line reversed red']]);
  });

  it('rings only in workspaces that want it, and once until it is read', async () => {
    await hear([{ offset: 1, kind: 'bell' }]);
    expect(await shown()).toEqual([]);
    await notifier.bus.call('notification.set_level', { workspace_id: 'WS', level: 'all' });
    await hear([{ offset: 2, kind: 'bell' }]);
    const [first] = await notifier.list();
    await hear([{ offset: 3, kind: 'bell' }]);
    expect((await notifier.list()).map(({ id }) => id)).toEqual([first?.id]);
    await notifier.bus.call('notification.mark_read', {});
    await hear([{ offset: 4, kind: 'bell' }]);
    expect((await notifier.list())[0]?.id).not.toBe(first?.id);
  });

  it('is bounded: a program that floods is told of a few times', async () => {
    const many = Array.from({ length: 200 }, (_, i) => notice(i + 1, `n${i}`));
    await hear(many);
    const created = () => notifier.kinds().filter((kind) => kind === 'notification.created').length;
    await waitFor('the journal has them', () => created() >= 20);
    expect(created()).toBeLessThan(30);
    expect(await hear(many)).toEqual({ heard_to: 200 });
  });

  it('B17: a write to the clipboard is an event with a limit and a policy, not lost and not carried out', async () => {
    const clipboard = (offset: number, text: string | null, bytes: number) => ({
      offset,
      kind: 'clipboard',
      text,
      bytes,
    });
    const told = () => notifier.told.filter(({ kind }) => kind === 'notification.clipboard').map(({ data }) => data);
    await hear([clipboard(10, 'Hello', 5), clipboard(20, 'x'.repeat(9000), 9000), clipboard(30, null, 70_000)]);
    await waitFor('the journal has them', () => told().length === 3);
    expect(told()).toEqual([
      { bytes: 5, text: 'Hello' },
      { bytes: 9000, text: null },
      { bytes: 70_000, text: null },
    ]);
    await notifier.restart({ clipboard: 'size' });
    await hear([clipboard(30, null, 70_000), clipboard(40, 'secret', 6)]);
    await waitFor('the size is told', () => told().length === 4);
    expect(told().at(-1)).toEqual({ bytes: 6, text: null });
    await notifier.restart({ clipboard: 'off' });
    expect(await hear([clipboard(50, 'secret', 6)])).toEqual({ heard_to: 50 });
    expect(await notifier.list()).toEqual([]);
  });
});

describe('what agents do', () => {
  it('D14: is told once for each turn: the stop and the reminder a minute later are one', async () => {
    agentWas('S1', 'idle', 'working', 'idle');
    await untilListed(1);
    const [first] = await notifier.list();
    expect(first).toMatchObject({ reason: 'agent_finished', title: 'claude-code has finished', subtitle: 'api' });
    notifier.surfaces.set('S1', { has_agent_state: true, agent: 'claude-code' });
    notifier.agent('S1', 'idle');
    notifier.agent('S1', 'blocked');
    await hear([notice(10, 'Claude is waiting for your input'), { offset: 11, kind: 'bell' }]);
    agentWas('S2', 'working', 'idle');
    await untilListed(2);
    expect((await notifier.list()).map(({ id }) => id)[1]).toBe(first?.id);
    expect(notifier.kinds().filter((kind) => kind === 'notification.created')).toHaveLength(2);
  });

  it('is told with the question, where, and what to do; answered, it is read', async () => {
    agentWas('S1', 'working', ['blocked', { kind: 'permission', excerpt: 'Bash: npm test' }]);
    await untilListed(1);
    expect((await notifier.list())[0]).toMatchObject({
      ...{ reason: 'agent_blocked', agent: 'claude-code', workspace: 'api', is_read: false },
      ...{ title: 'claude-code asks for permission', excerpt: 'Bash: npm test' },
      action: { kind: 'answer', command: 'sy attach surface:1' },
    });
    notifier.agent('S1', 'working');
    await waitFor('it is read', async () => (await notifier.list())[0]?.is_read === true);
  });

  it('goes on after a kill where it was: nothing twice, nothing left out', async () => {
    agentWas('S1', 'working', 'idle');
    await untilListed(1);
    await notifier.bus.call('notification.clear', {});
    await notifier.stop();
    agentWas('S2', 'working', 'idle');
    await notifier.start();
    await untilListed(1);
    expect((await notifier.list())[0]).toMatchObject({ surface_id: 'S2', reason: 'agent_finished' });
    expect(notifier.kinds().filter((kind) => kind === 'notification.created')).toHaveLength(2);
  });

  it('is told of a program that took its surface with it, about the workspace', async () => {
    agentWas('S2', 'working');
    const exit = { exit_code: 3, signal: null, offset: 10, at: Date.now(), reason: 'exited' };
    notifier.surfaces.delete('S2');
    notifier.happens('surface.exited', 'S2', { exit });
    notifier.happens('surface.closed', 'S2', { pane_id: 'P' });
    await untilListed(1);
    expect((await notifier.list())[0]).toMatchObject({
      ...{ surface_id: null, workspace_id: 'WS', reason: 'agent_failed' },
      ...{ title: 'claude-code has failed', excerpt: 'exit code 3' },
    });
  });
});
