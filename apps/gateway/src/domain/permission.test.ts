import { type AnyMethod, methodNamed } from '@switchyard/protocol';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grant } from './grant.js';
import { permission } from './permission.js';

const spec = (name: string) => methodNamed(name) as AnyMethod;
const grant = (more: Partial<Grant>): Grant => ({ ...EVERYTHING, scopes: ['write'], ...more });
const codeOf = (fn: () => unknown) => {
  try {
    fn();
    return 'allowed';
  } catch (error) {
    const { code, data } = error as { code: string; data?: { missing?: string[] } };
    return [code, ...(data?.missing ?? [])].join(' ');
  }
};

const SURFACES = { 'surface:1': ['S1', 'W1', 'local'], 'surface:2': ['S2', 'W2', 'attic'] } as const;
const WORKSPACES = { 'workspace:1': 'W1', 'workspace:2': 'W2' } as const;

/** Runs a call through a yard of two workspaces with one surface each. */
function ask(method: string, params: Record<string, unknown>, allowed: Grant) {
  const question = permission(spec(method), params, allowed);
  if (question === undefined) return params;
  return question.decide(
    question.things.map(({ kind, handle }) => {
      const surface = Object.entries(SURFACES).find(([ref, [id]]) => ref === handle || id === handle)?.[1];
      if (kind === 'surface' && surface) {
        return { id: surface[0], surface_id: surface[0], workspace_id: surface[1], host: surface[2] };
      }
      const workspace = Object.entries(WORKSPACES).find(([ref, id]) => ref === handle || id === handle)?.[1];
      if (kind === 'workspace' && workspace) {
        return { id: workspace, surface_id: null, workspace_id: workspace, host: null };
      }
      return kind === 'window' ? { id: 'X', surface_id: null, workspace_id: null, host: null } : null;
    }),
  );
}

describe('permission', () => {
  it('lets each scope do what those below it may', () => {
    const may = (scope: Grant['scopes'][number]) =>
      ['system.ping', 'surface.list', 'surface.send_text', 'yard.stop'].filter(
        (method) => codeOf(() => permission(spec(method), {}, grant({ scopes: [scope] }))) === 'allowed',
      );
    expect(may('read')).toEqual(['system.ping', 'surface.list']);
    expect(may('write')).toEqual(['system.ping', 'surface.list', 'surface.send_text']);
    expect(may('admin')).toHaveLength(4);
    expect(codeOf(() => permission(spec('yard.stop'), {}, grant({})))).toBe('forbidden admin');
  });

  describe('confined to a workspace', () => {
    const mine = grant({ workspaceIds: ['W1'] });

    it('takes handles for what they name, and hands them on as ids', () => {
      expect(ask('surface.send_text', { surface_id: 'surface:1', text: 'x' }, mine)).toEqual({
        surface_id: 'S1',
        text: 'x',
      });
      expect(codeOf(() => ask('surface.send_text', { surface_id: 'surface:2', text: 'x' }, mine))).toBe(
        'forbidden yard',
      );
      const both = { surface_id: 'surface:1', workspace_id: 'workspace:2' };
      expect(codeOf(() => ask('surface.move', both, mine))).toBe('forbidden yard');
    });

    it('acts in it where nothing is named, never on what others focus', () => {
      expect(ask('surface.list', {}, mine)).toEqual({ workspace_id: 'W1' });
      const two = grant({ workspaceIds: ['W1', 'W2'] });
      expect(codeOf(() => ask('surface.list', {}, two))).toBe('forbidden yard');
    });

    it('may not name windows, pick by name, move the focus, or do what concerns the yard', () => {
      expect(codeOf(() => ask('surface.list', { window_id: 'window:1' }, mine))).toBe('forbidden yard');
      expect(codeOf(() => ask('agent.get', { name: 'reviewer' }, mine))).toBe('forbidden yard');
      expect(codeOf(() => ask('workspace.select', { workspace_id: 'workspace:1' }, mine))).toBe('forbidden yard');
      expect(codeOf(() => ask('worktree.list', { repo: '/r' }, mine))).toBe('forbidden yard');
    });

    it('is told of a handle that names nothing', () => {
      expect(codeOf(() => ask('surface.list', { workspace_id: 'what' }, mine))).toBe('not_found');
    });
  });

  it('confined to a host, acts on surfaces there and must name them', () => {
    const attic = grant({ hosts: ['attic'] });
    expect(ask('surface.read_text', { surface_id: 'surface:2' }, attic)).toEqual({ surface_id: 'S2' });
    expect(codeOf(() => ask('surface.read_text', { surface_id: 'surface:1' }, attic))).toBe('forbidden yard');
    expect(codeOf(() => ask('surface.list', { workspace_id: 'workspace:2' }, attic))).toBe('forbidden yard');
  });

  describe('confined to itself', () => {
    const self = grant({ scopes: ['self'], surfaceId: 'S1' });

    it('reads and reports itself, without having to say which it is', () => {
      expect(ask('surface.read_text', {}, self)).toEqual({ surface_id: 'S1' });
      const report = { workspace_id: 'workspace:1', surface_id: 'surface:1', state: 'idle' };
      expect(ask('surface.report_agent_state', report, self)).toEqual({
        ...report,
        workspace_id: 'W1',
        surface_id: 'S1',
      });
    });

    it('may do nothing to others, nor what serves not itself', () => {
      expect(codeOf(() => ask('surface.read_text', { surface_id: 'surface:2' }, self))).toBe('forbidden yard');
      expect(codeOf(() => ask('surface.read_text', { workspace_id: 'workspace:2' }, self))).toBe('forbidden yard');
      expect(codeOf(() => ask('surface.send_text', { text: 'x' }, self))).toBe('forbidden write');
      expect(codeOf(() => ask('surface.list', {}, self))).toBe('forbidden read');
    });
  });
});
