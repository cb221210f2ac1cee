import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeJournal, SURFACE, WORKSPACE } from './fake-journal.js';
import { startGateway, type TestGateway, type Wire } from './harness.js';

let gateway: TestGateway;
let journal: FakeJournal;

beforeEach(async () => {
  journal = new FakeJournal();
  gateway = await startGateway({}, journal.answers);
  journal.bus = gateway.bus;
});
afterEach(() => gateway.stop());

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);

/** What comes until the title `last`, as titles and gaps. */
async function titlesUntil(wire: Wire, last: string): Promise<string[]> {
  const titles: string[] = [];
  while (titles.at(-1) !== last) {
    const frame = await wire.read();
    titles.push(frame.event === 'gap' ? `gap ${frame.reason} ${frame.count}` : frame.data.title);
  }
  return titles;
}

async function subscribed(params: object = { kinds: ['workspace.*'] }) {
  const wire = await gateway.wire();
  const { result, error } = await wire.ask('events.subscribe', params);
  if (error) throw new Error(JSON.stringify(error));
  return { wire, ...result } as { wire: Wire; subscription_id: string; cursor: string; gap?: object; kinds: string[] };
}

describe('events.subscribe', () => {
  it('C2: tells only what comes later, and with a cursor exactly what was missed', async () => {
    journal.rename(...numbered(1, 10));
    const { wire } = await subscribed();
    journal.rename('11');
    const first = await wire.read();
    expect(first).toMatchObject({ event: 'workspace.renamed', workspace_id: WORKSPACE, data: { title: '11' } });
    wire.socket.destroy();
    journal.rename(...numbered(12, 21));
    const again = await subscribed({ kinds: ['workspace.*'], cursor: first.cursor });
    journal.rename('22');
    expect(await titlesUntil(again.wire, '22')).toEqual(numbered(12, 22));
    expect(again.cursor).toBe(first.cursor);
  });

  it('C1: tells 600 changes in a row, whether or not their marks carry them', async () => {
    const { wire } = await subscribed();
    for (const title of numbered(1, 300)) journal.rename(title);
    journal.marksCarry = false;
    for (const title of numbered(301, 600)) journal.rename(title);
    expect(await titlesUntil(wire, '600')).toEqual(numbered(1, 600));
  });

  it('says in its frames which subscription they are of, and answers in the dialect of the request', async () => {
    const wire = await gateway.wire();
    wire.send({ jsonrpc: '2.0', id: 7, method: 'events.subscribe', params: { kinds: ['workspace.renamed'] } });
    const { result } = await wire.read();
    journal.rename('a');
    expect(await wire.read()).toEqual({
      jsonrpc: '2.0',
      method: 'workspace.renamed',
      params: {
        subscription_id: result.subscription_id,
        cursor: expect.any(String),
        at: expect.any(Number),
        workspace_id: WORKSPACE,
        surface_id: null,
        data: { title: 'a', custom_title: 'a' },
      },
    });
  });

  it('checks everything before it answers: what is wrong makes no subscription', async () => {
    const wire = await gateway.wire();
    const wrong = [
      { kinds: ['workspace.painted'] },
      { kinds: [] },
      { kinds: ['*'], cursor: 'yesterday' },
      { kinds: ['surface.output'] },
      { kinds: ['output_matched'], surfaces: [SURFACE] },
      { kinds: ['*'], pattern: 'x' },
    ];
    for (const params of wrong) {
      expect((await wire.ask('events.subscribe', params)).error).toMatchObject({ code: 'invalid_params' });
    }
    const gone = { kinds: ['*'], surfaces: ['surface:9'] };
    expect((await wire.ask('events.subscribe', gone)).error).toMatchObject({ code: 'not_found' });
    journal.rename('a');
    expect((await wire.ask('events.unsubscribe')).result).toEqual({ unsubscribed: false });
    expect(wire.unread).toBe(0);
  });

  it('takes several at once, and events.unsubscribe is the end of one or of all', async () => {
    const { wire, subscription_id: one } = await subscribed();
    await wire.ask('events.subscribe', { kinds: ['workspace.renamed'] });
    journal.rename('a');
    const ids = [await wire.read(), await wire.read()].map((frame) => frame.subscription_id);
    expect(new Set(ids).size).toBe(2);
    expect((await wire.ask('events.unsubscribe', { subscription_id: one })).result).toEqual({ unsubscribed: true });
    journal.rename('b');
    expect((await wire.read()).subscription_id).not.toBe(one);
    expect((await wire.ask('events.unsubscribe')).result).toEqual({ unsubscribed: true });
    journal.rename('c');
    expect((await wire.ask('system.ping')).result).toEqual({ pong: true });
  });

  it('C3: leaves the connection to requests as before', async () => {
    const { wire } = await subscribed();
    wire.send({ id: 1, method: 'system.ping' }, { id: 2, method: 'system.ping' });
    journal.rename('a');
    const frames = [await wire.read(), await wire.read(), await wire.read()];
    expect(frames.filter(({ ok }) => ok).map(({ id }) => id)).toEqual([1, 2]);
    expect(frames.find(({ event }) => event)).toMatchObject({ data: { title: 'a' } });
  });

  it('goes on for a client that has only ended its own side', async () => {
    const { wire } = await subscribed();
    wire.socket.end();
    journal.rename('a');
    expect(await titlesUntil(wire, 'a')).toEqual(['a']);
  });

  it('finds what lost marks had with the next mark, and when workspace-service is back', async () => {
    const { wire } = await subscribed();
    journal.silently(() => journal.rename('1', '2'));
    journal.rename('3');
    expect(await titlesUntil(wire, '3')).toEqual(['1', '2', '3']);
    journal.silently(() => journal.rename('4'));
    const run = { service: 'workspace-service', address: '_', instance: 'x', version: '1' } as const;
    gateway.bus.emit('service.ready', run);
    expect(await titlesUntil(wire, '4')).toEqual(['4']);
  });

  it('says what is gone for good: to one who comes too late, and when the journal was lost', async () => {
    const { cursor, wire } = await subscribed();
    journal.keeps = 5;
    wire.socket.destroy();
    journal.rename(...numbered(1, 20));
    const late = await subscribed({ kinds: ['workspace.*'], cursor });
    expect(late.gap).toMatchObject({ reason: 'expired', from: cursor, count: 15 });
    journal.rename('21');
    expect(await titlesUntil(late.wire, '21')).toEqual(numbered(16, 21));
    journal.replace();
    journal.rename('new');
    expect(await titlesUntil(late.wire, 'new')).toEqual(['gap replaced null', 'new']);
  });

  it('refuses more than a connection can sensibly have', async () => {
    const { wire } = await subscribed();
    for (let i = 1; i < 64; i++) expect((await wire.ask('events.subscribe', { kinds: ['*'] })).ok).toBe(true);
    expect((await wire.ask('events.subscribe', { kinds: ['*'] })).error).toMatchObject({ code: 'overloaded' });
  });

  it('C4: one that does not read delays nobody, and later gets all of it from the journal', async () => {
    const slow = await subscribed();
    const fast = await subscribed();
    slow.wire.socket.pause();
    const title = (i: number) => `${i} ${'x'.repeat(1000)}`;
    for (let i = 1; i <= 6000; i += 100) journal.rename(...Array.from({ length: 100 }, (_, j) => title(i + j)));
    const seen = await titlesUntil(fast.wire, title(6000));
    expect(seen).toHaveLength(6000);
    expect(journal.reads).toBeLessThan(50);
    slow.wire.socket.resume();
    expect(await titlesUntil(slow.wire, title(6000))).toEqual(seen);
  });

  it('C4: one that reads again too late learns exactly how many it has lost', async () => {
    const { wire } = await subscribed();
    journal.keeps = 1000;
    wire.socket.pause();
    const title = (i: number) => `${i} ${'x'.repeat(1000)}`;
    for (let i = 1; i <= 20_000; i += 100) journal.rename(...Array.from({ length: 100 }, (_, j) => title(i + j)));
    wire.socket.resume();
    const seen = await titlesUntil(wire, title(20_000));
    const gaps = seen.filter((one) => one.startsWith('gap expired'));
    const lost = gaps.reduce((sum, gap) => sum + Number(gap.split(' ')[2]), 0);
    expect(gaps).toHaveLength(1);
    expect(seen.length - 1 + lost).toBe(20_000);
  });
});

describe('agent_status', () => {
  const change = (state: 'working' | 'idle' | null, before: 'working' | 'idle' | null) => ({
    kind: 'agent.state_changed' as const,
    workspace_id: WORKSPACE,
    surface_id: SURFACE,
    data: {
      agent: 'claude',
      state,
      source: state && ('hooks' as const),
      activity: 'unknown' as const,
      question: null,
      since: 1,
      failed: false,
      previous: { state: before, source: before && ('hooks' as const) },
    },
  });

  it('tells how it is at once, then every change', async () => {
    const known = { agent: 'claude', state: 'working', source: 'hooks', question: null } as const;
    journal.agents = [{ surface_id: SURFACE, workspace_id: WORKSPACE, ...known }];
    const { wire } = await subscribed({ kinds: ['agent_status'], surfaces: [SURFACE] });
    expect(await wire.read()).toMatchObject({ event: 'agent_status', data: { state: 'working', initial: true } });
    journal.append(change('idle', 'working'), change(null, 'idle'));
    expect(await wire.read()).toMatchObject({ surface_id: SURFACE, data: { state: 'idle', initial: false } });
    expect((await wire.read()).data.state).toBe(null);
  });

  it('tells only of the states that are wanted', async () => {
    const { wire } = await subscribed({ kinds: ['agent_status'], agent_states: ['idle'] });
    journal.append(change('working', null), change('idle', 'working'), change(null, 'idle'), change('idle', null));
    expect([(await wire.read()).data.state, (await wire.read()).data.state]).toEqual(['idle', 'idle']);
    expect((await wire.ask('system.ping')).ok).toBe(true);
  });
});
