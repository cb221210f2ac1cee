import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answers } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway, type Wire } from './harness.js';

const W1 = 'A81B4C1E-52D3-4F6A-8E7B-0C9D2E3F4A5B';
const W2 = 'B81B4C1E-52D3-4F6A-8E7B-0C9D2E3F4A5B';
const S1 = '3F1C9A52-7B0E-4D8A-9C35-6E2F4A1B8D70';
const S2 = '4F1C9A52-7B0E-4D8A-9C35-6E2F4A1B8D70';

const THINGS = new Map([
  [W1, { id: W1, workspace_id: W1, surface_id: null, host: null }],
  [W2, { id: W2, workspace_id: W2, surface_id: null, host: null }],
  [S1, { id: S1, workspace_id: W1, surface_id: S1, host: 'local' }],
  ['surface:1', { id: S1, workspace_id: W1, surface_id: S1, host: 'local' }],
  [S2, { id: S2, workspace_id: W2, surface_id: S2, host: 'attic' }],
]);
const TREE: Answers = {
  'access.locate': ({ handles }) => ({ places: handles.map(({ handle }) => THINGS.get(handle) ?? null) }),
};

describe('callers', () => {
  let gateway: TestGateway;
  let owner: Wire;
  /** What reached the services. */
  let calls: Record<string, unknown>[];
  beforeEach(async () => {
    calls = [];
    const take = (params: object) => {
      calls.push({ ...params });
      return {} as never;
    };
    gateway = await startGateway({}, { ...TREE, 'surface.send_text': take, 'surface.report_agent_state': take });
    owner = await gateway.wire();
  });
  afterEach(() => gateway.stop());

  const token = async (params: object): Promise<string> => {
    const { result } = await owner.ask('token.create', params);
    return result.token;
  };
  const loggedIn = async (params: object): Promise<Wire> => {
    const guest = await gateway.guest();
    expect(await guest.ask('auth.login', { token: await token(params) })).toMatchObject({ ok: true });
    return guest;
  };

  it('are known by the process that the system names', async () => {
    const { result } = await owner.ask('auth.whoami');
    expect(result).toMatchObject({
      caller: { socket: 'main', uid: process.getuid?.(), pid: process.pid, token: null },
      grant: { scopes: ['admin'], workspace_ids: null, hosts: null, surface_id: null, expires_at: null },
    });
  });

  it('H1: may do nothing at the socket for sandboxes before a login, not even learn what there is', async () => {
    const guest = await gateway.guest();
    for (const method of ['system.ping', 'auth.whoami', 'surface.list', 'no.such', 'yard.stop']) {
      expect(await guest.ask(method)).toMatchObject({ error: { code: 'auth_required' } });
    }
    expect(await guest.ask('auth.login', {})).toMatchObject({ error: { code: 'auth_failed' } });
    expect(await guest.ask('auth.login', { token: 'syt_guess' })).toMatchObject({ error: { code: 'auth_failed' } });
  });

  it('H1: in a sandboxed terminal report themselves and may not type, start or stop anything', async () => {
    const guest = await loggedIn({ name: 'box', scopes: ['self'], surface_id: 'surface:1' });
    const report = { workspace_id: W1, surface_id: S1, state: 'idle' };
    expect(await guest.ask('surface.report_agent_state', report)).toMatchObject({ ok: true });
    expect(calls).toEqual([report]);
    for (const [method, params] of [
      ['surface.send_text', { surface_id: S2, text: 'rm -rf ~\n' }],
      ['surface.send_text', { surface_id: S1, text: 'x' }],
      ['surface.create', { workspace_id: W1, argv: ['sh'] }],
      ['yard.stop', {}],
      ['token.create', { name: 'more', scopes: ['admin'] }],
      ['surface.report_agent_state', { ...report, surface_id: S2 }],
    ] as const) {
      expect([method, await guest.ask(method, params)]).toMatchObject([method, { error: { code: 'forbidden' } }]);
    }
  });

  it('are told which scope is missing', async () => {
    const guest = await loggedIn({ name: 'reader', scopes: 'read' });
    expect(await guest.ask('surface.send_text', { text: 'x' })).toMatchObject({
      error: { code: 'forbidden', data: { missing: ['write'] } },
    });
  });

  it('act in their workspaces only, in the order in which they asked', async () => {
    const guest = await loggedIn({ name: 'mine', scopes: ['write'], workspace_ids: [W1] });
    const wanted = Array.from({ length: 50 }, (_, i) => String(i));
    for (const text of wanted) {
      const surface_id = Number(text) % 10 === 7 ? S2 : S1;
      guest.send({ id: text, method: 'surface.send_text', params: { surface_id, text } });
    }
    const codes = new Map<string, string>();
    for (const _ of wanted) {
      const reply = await guest.read();
      codes.set(reply.id, reply.ok ? 'ok' : reply.error.code);
    }
    expect(calls.map(({ text }) => text)).toEqual(wanted.filter((text) => Number(text) % 10 !== 7));
    expect(wanted.filter((text) => codes.get(text) === 'forbidden')).toEqual(['7', '17', '27', '37', '47']);
  });

  it('lose the connection when their token is revoked or ends', async () => {
    const guest = await loggedIn({ name: 'short', scopes: ['read'] });
    const list = async () => (await owner.ask('token.list')).result.tokens;
    expect(await list()).toMatchObject([{ name: 'short', connections: 1 }]);
    expect(await owner.ask('token.revoke', { name: 'short' })).toMatchObject({ result: { revoked: true } });
    await guest.ended;
    expect(await list()).toEqual([]);
    expect(await owner.ask('token.revoke', { name: 'short' })).toMatchObject({ result: { revoked: false } });
    const brief = await loggedIn({ name: 'brief', scopes: ['read'], expires_in_s: 1 });
    await brief.ended;
    expect(await list()).toEqual([]);
  });

  it('cannot leave the bounds of a token, on the main socket either', async () => {
    const narrow = await gateway.wire();
    const mine = await token({ name: 'a', scopes: ['read'] });
    await narrow.ask('auth.login', { token: mine });
    expect(await narrow.ask('token.list')).toMatchObject({ error: { code: 'forbidden' } });
    const wide = await token({ name: 'b', scopes: ['admin'] });
    expect(await narrow.ask('auth.login', { token: wide })).toMatchObject({ error: { code: 'invalid_state' } });
  });

  it('are given tokens that make sense only, each name once, and a repeat is the same token', async () => {
    const refused = async (params: object) => (await owner.ask('token.create', params)).error?.code;
    expect(await refused({ name: 'x', scopes: ['root'] })).toBe('invalid_params');
    expect(await refused({ name: 'x', scopes: ['self'] })).toBe('invalid_params');
    expect(await refused({ name: 'x', scopes: ['self', 'read'], surface_id: S1 })).toBe('invalid_params');
    expect(await refused({ name: 'x', scopes: ['admin'], workspace_ids: [W1] })).toBe('invalid_params');
    expect(await refused({ name: 'x', scopes: ['read'], workspace_ids: ['workspace:99'] })).toBe('not_found');
    const once = { name: 'x', scopes: ['read'], request_id: 'r1' };
    const [first, second] = [await token(once), await token(once)];
    expect(await refused({ name: 'x', scopes: ['read'] })).toBe('already_exists');
    const guest = await gateway.guest();
    expect(await guest.ask('auth.login', { token: first })).toMatchObject({ error: { code: 'auth_failed' } });
    expect(await guest.ask('auth.login', { token: second })).toMatchObject({ ok: true });
  });

  it('leave a trail of what they changed and what they were refused, without texts or secrets', async () => {
    const secret = await token({ name: 'box', scopes: ['read'] });
    const guest = await gateway.guest();
    await guest.ask('auth.login', { token: secret });
    await guest.ask('surface.send_text', { surface_id: S1, text: 'hush' });
    await owner.ask('surface.send_text', { surface_id: S1, text: 'hush' });
    await owner.ask('surface.list');
    const { result } = await owner.ask('audit.read', { limit: 3 });
    expect(result.entries).toMatchObject([
      {
        method: 'surface.send_text',
        outcome: 'ok',
        caller: { token: null, pid: process.pid },
        target: { surface_id: S1 },
      },
      { method: 'surface.send_text', outcome: 'forbidden', caller: { token: 'box', socket: 'guest' } },
      { method: 'auth.login', outcome: 'ok', caller: { token: 'box' } },
    ]);
    const [oldest] = result.entries.slice(-1);
    const before = await owner.ask('audit.read', { before: oldest.seq, token: 'box' });
    expect(before.result.entries).toEqual([]);
    expect(JSON.stringify(await owner.ask('audit.read'))).not.toMatch(/hush|syt_/);
    const file = readFileSync(join(gateway.path, '..', 'state', 'audit', 'audit.jsonl'), 'utf8');
    expect(file.trim().split('\n').length).toBeGreaterThanOrEqual(3);
  });
});
