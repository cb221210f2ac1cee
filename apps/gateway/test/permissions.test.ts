import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answers } from '@switchyard/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway, type Wire } from './harness.js';

/** The published table, which is what clients know: this test does not read our declarations. */
const ROOT = join(import.meta.dirname, '..', '..', '..');
const { methods } = JSON.parse(readFileSync(join(ROOT, 'contract', 'methods.json'), 'utf8')) as { methods: Row[] };
const FIXTURES = join(ROOT, 'libs', 'protocol', 'fixtures');

interface Row {
  readonly name: string;
  readonly visibility: string;
  readonly scope: 'none' | 'read' | 'write' | 'admin';
  readonly self_service: boolean;
}

const LEVELS = ['none', 'read', 'write', 'admin'];
/** They decide by themselves what they answer here: a second login is refused, and these are not on the bus. */
const OWN = readdirSync(FIXTURES).filter((name) =>
  /^(auth|token|audit|subscribe|unsubscribe|events|system|surface\.stream)\b/.test(name),
);
const SURFACE = '3F1C9A52-7B0E-4D8A-9C35-6E2F4A1B8D70';
const WORKSPACE = 'A81B4C1E-52D3-4F6A-8E7B-0C9D2E3F4A5B';
const OTHER = 'FFFFFFFF-7B0E-4D8A-9C35-6E2F4A1B8D70';

const exemplary = (method: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(FIXTURES, method, 'request.json'), 'utf8')).params;

const ANSWERS: Answers = {
  ...(Object.fromEntries(methods.map(({ name }) => [name, () => ({})])) as Answers),
  'terminal.list': () => ({ terminals: [] }) as never,
  'access.locate': ({ handles }) => ({
    places: handles.map(({ kind, handle }) => ({
      id: handle,
      workspace_id: kind === 'window' ? null : handle === OTHER ? OTHER : WORKSPACE,
      surface_id: kind === 'surface' ? handle : null,
      host: kind === 'surface' ? 'local' : null,
    })),
  }),
};

let gateway: TestGateway;
let owner: Wire;
beforeAll(async () => {
  gateway = await startGateway({}, ANSWERS);
  owner = await gateway.wire();
});
afterAll(() => gateway.stop());

async function bearer(params: object): Promise<Wire> {
  const { result } = await owner.ask('token.create', { name: `t${Math.random()}`.slice(0, 20), ...params });
  const wire = await gateway.guest();
  expect(await wire.ask('auth.login', { token: result.token })).toMatchObject({ ok: true });
  return wire;
}

/** All services answer: whatever is not refused succeeds. */
async function succeeds(wire: Wire, method: string, params: object): Promise<boolean> {
  return (await wire.ask(method, params)).ok;
}

async function isForbidden(wire: Wire, method: string, params: object): Promise<boolean> {
  const reply = await wire.ask(method, params);
  return reply.ok === false && reply.error.code === 'forbidden';
}

const onBus = methods.filter(({ name, visibility }) => visibility === 'public' && !OWN.includes(name));

it.each(['read', 'write', 'admin'])(
  'the scope %s allows exactly the methods that the table gives it',
  async (scope) => {
    const wire = await bearer({ scopes: [scope] });
    const allowed: string[] = [];
    for (const { name } of onBus) if (await succeeds(wire, name, exemplary(name))) allowed.push(name);
    const expected = onBus.filter((row) => LEVELS.indexOf(row.scope) <= LEVELS.indexOf(scope));
    expect(allowed).toEqual(expected.map(({ name }) => name));
  },
);

it('the scope self allows exactly what the table calls self-service, and for no other surface', async () => {
  const wire = await bearer({ scopes: ['self'], surface_id: SURFACE });
  const [mine, others]: [string[], string[]] = [[], []];
  for (const { name } of onBus) {
    const { window_id: _, ...given } = exemplary(name);
    const here = {
      ...given,
      ...('surface_id' in given && { surface_id: SURFACE }),
      ...('workspace_id' in given && { workspace_id: WORKSPACE }),
    };
    if (await succeeds(wire, name, here)) mine.push(name);
    if (await succeeds(wire, name, { ...here, surface_id: OTHER })) others.push(name);
  }
  const expected = onBus.filter((row) => row.self_service || row.scope === 'none').map(({ name }) => name);
  expect(mine).toEqual(expected);
  expect(others).toEqual([]);
});

it('a token for a workspace reaches nothing of another, whatever the method calls it', async () => {
  const wire = await bearer({ scopes: ['write'], workspace_ids: [WORKSPACE] });
  const reached: string[] = [];
  for (const { name } of onBus) {
    const params = exemplary(name);
    const handles = Object.keys(params).filter((key) => /^(.*_)?(window|workspace|pane|surface)_ids?$/.test(key));
    for (const handle of handles) {
      const elsewhere = { ...params, [handle]: Array.isArray(params[handle]) ? [OTHER] : OTHER };
      if (!(await isForbidden(wire, name, elsewhere))) reached.push(`${name} ${handle}`);
    }
  }
  expect(reached).toEqual([]);
});
