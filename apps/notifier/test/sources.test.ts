import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestNotifier } from './support/notifier.js';

let notifier: TestNotifier;
beforeEach(async () => {
  notifier = new TestNotifier();
  await notifier.start();
});
afterEach(() => notifier.end());

type Signal = { offset: number; kind: 'bell' | 'notification' | 'clipboard'; title?: string; body?: string };
const hear = (...signals: (Signal & { bytes?: number; text?: string | null })[]) =>
  notifier.bus.call('notification.hear', { surface_id: 'S1', signals });
const said = (offset: number, title: string) => ({ offset, kind: 'notification', title, body: 'text' }) as const;
const created = () =>
  notifier.told.filter(({ kind }) => kind === 'notification.created').map(({ data }) => data['title']);

describe('what a terminal is asked to tell', () => {
  it('is taken once, however often a restarted pty-host hands it over', async () => {
    expect(await hear(said(10, 'one'))).toEqual({ heard_to: 10 });
    await notifier.restart();
    expect(await hear(said(10, 'one'), said(25, 'two'))).toEqual({ heard_to: 25 });
    expect(await hear(said(10, 'one'), said(25, 'two'))).toEqual({ heard_to: 25 });
    await waitFor('both are told', () => created().length === 2);
    expect(created()).toEqual(['one', 'two']);
    expect(await notifier.list()).toMatchObject([{ title: 'two', reason: 'terminal', excerpt: 'text' }]);
  });

  it('is bounded, and all of it counts as heard', async () => {
    expect(await hear(...Array.from({ length: 100 }, (_, i) => said(i + 1, `n${i}`)))).toEqual({ heard_to: 100 });
    await waitFor('some are told', () => created().length >= 20);
    expect(created().length).toBeLessThan(30);
  });

  it('B17: a write to the clipboard is an event with a limit, and no notification', async () => {
    await hear({ offset: 1, kind: 'clipboard', bytes: 4, text: 'copy' });
    await hear({ offset: 2, kind: 'clipboard', bytes: 100_000, text: null });
    await waitFor('both are told', () => notifier.told.length === 2);
    expect(notifier.told.map(({ kind, data }) => [kind, data])).toEqual([
      ['notification.clipboard', { bytes: 4, text: 'copy' }],
      ['notification.clipboard', { bytes: 100_000, text: null }],
    ]);
    expect(await notifier.list()).toEqual([]);
  });
});

describe('what an agent does', () => {
  it('is told when it asks, and is read by itself once that is answered', async () => {
    notifier.agent('S1', 'working');
    notifier.agent('S1', 'blocked', { kind: 'permission', excerpt: 'Bash: rm -r build' });
    await waitFor('it is told', async () => (await notifier.list()).length === 1);
    const asks = { title: 'claude-code asks for permission', reason: 'agent_blocked', agent: 'claude-code' };
    expect(await notifier.list()).toMatchObject([{ ...asks, is_read: false, action: { kind: 'answer' } }]);
    notifier.agent('S1', 'working');
    await waitFor('it counts as read', async () => (await notifier.list())[0]?.is_read === true);
  });

  it('D14: that its turn has ended is one notification, also over a restart in between', async () => {
    notifier.surfaces.set('S1', { agent: 'claude-code', has_agent_state: true });
    notifier.agent('S1', 'working');
    notifier.agent('S1', 'idle');
    await waitFor('it is told', async () => (await notifier.list()).length === 1);
    await notifier.restart();
    notifier.agent('S1', 'idle');
    await hear(said(10, 'waiting for your input'));
    notifier.agent('S2', 'working');
    notifier.agent('S2', 'idle');
    await waitFor('the other is told', async () => (await notifier.list()).length === 2);
    expect(created()).toEqual(['claude-code has finished', 'claude-code has finished']);
  });
});
