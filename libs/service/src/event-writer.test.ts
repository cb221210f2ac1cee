import { type BusEvent, fail, type Params } from '@switchyard/protocol';
import { describe, expect, it, vi } from 'vitest';
import { EventWriter } from './event-writer.js';

type Told = Params<'journal.append'>['events'][number];

function scene() {
  const told: string[] = [];
  const state: { answer: (event: Told) => void; ready: (run: BusEvent<'service.ready'>) => void } = {
    answer: () => undefined,
    ready: () => undefined,
  };
  const bus = {
    call: async (_method: string, { events }: Params<'journal.append'>) => {
      for (const event of events) {
        state.answer(event);
        told.push(event.key);
      }
      return { appended: events.length };
    },
    subscribe: (_event: string, fn: typeof state.ready) => {
      state.ready = fn;
      return () => undefined;
    },
  };
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const writer = new EventWriter(bus as never, log as never);
  const tell = (key: string) => writer.tell({ key, kind: 'window.closed', data: { window_id: key } });
  return { told, state, writer, tell, log };
}

const WORKSPACE_SERVICE = { service: 'workspace-service', address: '_', instance: 'i', version: '1' } as const;

describe('EventWriter', () => {
  it('hands events in, in order', async () => {
    const { told, writer, tell } = scene();
    for (const key of ['a', 'b', 'c']) tell(key);
    await writer.stop();
    expect(told).toEqual(['a', 'b', 'c']);
  });

  it('keeps them while workspace-service is away, and goes on when it is back', async () => {
    const { told, state, writer, tell } = scene();
    state.answer = () => fail('service_unavailable', 'away');
    tell('a');
    tell('b');
    await vi.waitFor(() => expect(told).toEqual([]));
    state.answer = () => undefined;
    state.ready(WORKSPACE_SERVICE);
    await vi.waitFor(() => expect(told).toEqual(['a', 'b']));
    await writer.stop();
  });

  it('leaves out what the journal refuses, and says so', async () => {
    const { told, state, writer, tell, log } = scene();
    state.answer = ({ key }) => void (key === 'bad' && fail('invalid_params', 'no such kind'));
    for (const key of ['a', 'bad', 'b']) tell(key);
    await writer.stop();
    expect(told).toEqual(['a', 'b']);
    expect(log.error).toHaveBeenCalledOnce();
  });

  it('gives up the oldest when too many wait', async () => {
    const { told, state, writer, tell, log } = scene();
    state.answer = () => fail('service_unavailable', 'away');
    for (let i = 0; i < 1030; i++) tell(`${i}`);
    await vi.waitFor(() => expect(log.error).toHaveBeenCalledTimes(6));
    state.answer = () => undefined;
    state.ready(WORKSPACE_SERVICE);
    await vi.waitFor(() => expect(told).toHaveLength(1024));
    expect(told[0]).toBe('6');
    await writer.stop();
  });
});
