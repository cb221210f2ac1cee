import type { Params } from '@switchyard/protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FakeYard, startFakeYard } from './fake-yard.js';

const CREDENTIALS = {
  version: 1 as const,
  name: 'attic',
  space: '_',
  urls: ['tls://hub:7422'],
  seed: `SU${'A'.repeat(56)}`,
  ca: '-----BEGIN CERTIFICATE-----\n',
  pty_hosts: 1,
  detectors: false,
};
const said = (more: Partial<Params<'host.present'>> = {}): Params<'host.present'> => ({
  identity: 'machine-1',
  instance: 'run-1',
  version: '0.1.0',
  bus_protocol: 2,
  platform: 'linux x64',
  pty_hosts: 1,
  home: '/home/there',
  shell: '/bin/there-sh',
  env: { HOME: '/home/there', PATH: '/there/bin' },
  load: { cpus: 8, load_1m: 0, memory_bytes: 1, memory_free_bytes: 1 },
  ...more,
});

let yard: FakeYard;
let expelled: string[];
beforeEach(async () => {
  expelled = [];
  yard = await startFakeYard();
});
afterEach(async () => {
  vi.useRealTimers();
  await yard.end();
});

const from = (host: string) => ({ caller: { kind: 'service' as const, name: 'supervisor', host } });
const present = (more?: Partial<Params<'host.present'>>) => yard.call('host.present', said(more), from('attic'));
const stateOf = async (host = 'attic') => (await yard.call('host.get', { host })).state;
const kinds = async () => {
  const { events } = await yard.call('events.read', { kinds: ['host.changed', 'host.refused'] });
  return events.map(({ kind, data }) => `${kind} ${'state' in data ? data.state : 'code' in data ? data.code : ''}`);
};
async function added(): Promise<void> {
  yard.others['fleet.admit'] = () => ({ credentials: CREDENTIALS });
  yard.others['fleet.expel'] = ({ name }) => {
    expelled.push(name);
    return { expelled: true };
  };
  await yard.restart();
  await yard.call('host.add', { host: 'attic' });
}
async function joined(): Promise<void> {
  await added();
  await present();
  await vi.waitFor(async () => expect(await stateOf()).toBe('online'));
}

it('lists its own machine, and one that joins: connecting, then online, with each step in the journal', async () => {
  await added();
  expect((await yard.call('host.list', {})).hosts.map(({ host, state }) => [host, state])).toEqual([
    ['local', 'online'],
    ['attic', 'connecting'],
  ]);
  await present();
  await vi.waitFor(async () => expect(await stateOf()).toBe('online'));
  expect(await yard.call('host.get', { host: 'attic' })).toMatchObject({
    platform: 'linux x64',
    identity: 'machine-1',
  });
  expect(await kinds()).toEqual(['host.changed connecting', 'host.changed online']);
});

it('starts a terminal there in the home folder, with the shell and the environment of that machine', async () => {
  await joined();
  const { surface_id } = await yard.call('workspace.create', { host: 'attic' });
  const { opened } = yard.host.terminals.get(surface_id) ?? {};
  expect(opened).toMatchObject({ argv: ['/bin/there-sh'], cwd: '/home/there' });
  expect(opened?.env).toMatchObject({ PATH: '/there/bin', SWITCHYARD_SURFACE_ID: surface_id });
  expect(opened?.env).not.toHaveProperty('SWITCHYARD_SOCKET');
  const beside = await yard.call('surface.create', { surface_id });
  const { surfaces } = await yard.call('surface.list', { surface_id: beside.surface_id });
  expect(surfaces.map(({ host }) => host)).toEqual(['attic', 'attic']);
});

it('answers at once for a machine that has fallen silent, and says since when', async () => {
  await joined();
  const { surface_id } = await yard.call('workspace.create', { host: 'attic' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await present();
  await vi.advanceTimersByTimeAsync(7000);
  vi.useRealTimers();
  expect(await stateOf()).toBe('unreachable');
  await expect(yard.call('surface.send_text', { surface_id, text: 'x' })).rejects.toMatchObject({
    code: 'host_unreachable',
    data: { host: 'attic', last_contact_at: expect.any(Number) },
  });
  await expect(yard.call('workspace.create', { host: 'attic' })).rejects.toMatchObject({ code: 'host_unreachable' });
  await present();
  await vi.waitFor(async () => expect(await stateOf()).toBe('online'));
  await yard.call('surface.send_text', { surface_id, text: 'x' });
});

it('lets in no other machine under the same name, until it has credentials of its own', async () => {
  await joined();
  await expect(present({ identity: 'machine-2', instance: 'run-2' })).rejects.toMatchObject({
    code: 'host_name_taken',
  });
  await yard.call('host.leave', { instance: 'run-1' }, from('attic'));
  await expect(present({ identity: 'machine-2', instance: 'run-2' })).rejects.toMatchObject({
    code: 'host_identity_changed',
  });
  expect(await yard.call('host.get', { host: 'attic' })).toMatchObject({
    state: 'unreachable',
    refused: { identity: 'machine-2', code: 'host_identity_changed' },
  });
  expect(await yard.call('host.renew', { host: 'attic' })).toMatchObject({ refused: null, credentials: CREDENTIALS });
  await present({ identity: 'machine-2', instance: 'run-2' });
  await vi.waitFor(async () => expect(await stateOf()).toBe('online'));
});

it('refuses one of two supervisors that run at a time on copies of one state folder', async () => {
  await joined();
  await present({ instance: 'run-2' });
  await expect(present({ instance: 'run-1' })).rejects.toMatchObject({ code: 'host_name_taken' });
  await present({ instance: 'run-2' });
});

it('hears a machine on its own surfaces only', async () => {
  await joined();
  const { surface_id } = await yard.call('surface.create', {});
  const seen = { surface_id, at: 1, rev: 1, foreground: null, verdict: null, program: null };
  expect(await yard.call('surface.observe', seen, from('attic'))).toEqual({ accepted: false });
  const isOpen = async () => (await yard.call('surface.list', {})).surfaces.some(({ id }) => id === surface_id);
  const exit = { exit_code: 0, signal: null, offset: 0, at: Date.now() + 1000 };
  yard.host.bus?.emit('terminal.exited', { surface_id, exit }, 'attic');
  expect(await isOpen()).toBe(true);
  yard.host.bus?.emit('terminal.exited', { surface_id, exit });
  await vi.waitFor(async () => expect(await isOpen()).toBe(false));
});

it('drains: takes no new terminal, goes on with those it has', async () => {
  await joined();
  const { surface_id } = await yard.call('workspace.create', { host: 'attic' });
  expect(await yard.call('host.drain', { host: 'attic' })).toMatchObject({ state: 'draining', draining: true });
  await expect(yard.call('workspace.create', { host: 'attic' })).rejects.toMatchObject({ code: 'invalid_state' });
  await yard.call('surface.send_text', { surface_id, text: 'x' });
  expect(await yard.call('host.drain', { host: 'attic', off: true })).toMatchObject({ state: 'online' });
});

it('places by load where the caller leaves the choice, and by label', async () => {
  await joined();
  await yard.call('host.label', { host: 'attic', labels: ['gpu'] });
  const { surface_id } = await yard.call('workspace.create', { host: 'any:gpu' });
  const rows = async () => (await yard.call('surface.list', { surface_id })).surfaces;
  expect((await rows())[0]?.host).toBe('attic');
  await expect(yard.call('workspace.create', { host: 'any:arm64' })).rejects.toMatchObject({
    code: 'host_unreachable',
  });
  await expect(yard.call('workspace.create', { host: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
});

it('is not removed while surfaces are on it; with force they are closed, and its key is void', async () => {
  await joined();
  const { surface_id } = await yard.call('workspace.create', { host: 'attic' });
  await expect(yard.call('host.remove', { host: 'attic' })).rejects.toMatchObject({
    code: 'host_in_use',
    data: { surface_ids: [surface_id] },
  });
  expect(expelled).toEqual([]);
  expect(await yard.call('host.remove', { host: 'attic', force: true })).toEqual({ removed: true });
  expect(yard.host.closed.map((one) => one.surface_id)).toEqual([surface_id]);
  expect((await yard.call('workspace.list', {})).workspaces).toHaveLength(1);
  expect(expelled).toEqual(['attic']);
  await expect(yard.call('host.get', { host: 'attic' })).rejects.toMatchObject({ code: 'not_found' });
});

it('removes with force a machine that is away: its surfaces close, its programs are not known any more', async () => {
  await joined();
  const { surface_id } = await yard.call('workspace.create', { host: 'attic' });
  await yard.call('host.leave', { instance: 'run-1' }, from('attic'));
  expect(await yard.call('host.remove', { host: 'attic', force: true })).toEqual({ removed: true });
  expect(yard.host.closed).toEqual([]);
  await expect(yard.call('surface.read_text', { surface_id })).rejects.toMatchObject({ code: 'not_found' });
});

it('keeps what it knows of machines over a restart, and gives them time to come again', async () => {
  await joined();
  const { surface_id } = await yard.call('workspace.create', { host: 'attic' });
  await yard.restart();
  expect(await stateOf()).toBe('connecting');
  await present();
  await vi.waitFor(async () => expect(await stateOf()).toBe('online'));
  await yard.call('surface.send_text', { surface_id, text: 'x' });
});
