import { describe, expect, it } from 'vitest';
import { ERRORS } from '../errors.js';
import { contract, PUBLIC_METHODS } from './index.js';

describe('contract', () => {
  const all = Object.entries(contract);

  it('moves the focus in exactly the methods of programa-api §6.2', () => {
    expect(all.flatMap(([name, spec]) => (spec.focusIntent ? [name] : [])).sort()).toEqual([
      'debug.app.activate',
      'debug.notification.focus',
      'pane.focus',
      'pane.last',
      'review.open',
      'surface.focus',
      'window.focus',
      'workspace.last',
      'workspace.next',
      'workspace.previous',
      'workspace.select',
      'worktree.create',
      'worktree.open',
    ]);
  });

  it('names only error codes that exist, each once', () => {
    for (const [name, { errors }] of all) {
      expect([name, new Set<string>(errors).size]).toEqual([name, errors.length]);
      for (const code of errors) expect(Object.hasOwn(ERRORS, code)).toBe(true);
    }
  });

  it('asks for write access where something changes and nowhere else, but for what only admins may see', () => {
    const onlyForAdmins = ['audit.read', 'token.list', 'yard.logs'];
    for (const [name, spec] of all) {
      const mutates = spec.scope === 'write' || (spec.scope === 'admin' && !onlyForAdmins.includes(name));
      expect([name, mutates]).toEqual([name, spec.effect === 'mutation']);
    }
  });

  it('names the things of the tree by handles whose kind is declared, so that permissions can be checked', () => {
    // Those of `subscribe` limit one class of what it tells; nobody who is confined may have it.
    const others = ['surface_ids'];
    for (const [name, { visibility, params }] of all) {
      if (visibility === 'internal') continue;
      for (const [param, schema] of Object.entries(params.properties as Record<string, object>)) {
        if (!/(^|_)(window|workspace|pane|surface|tab)_ids?$/.test(param) || others.includes(param)) continue;
        const isDeclared = ['x-kind', 'x-alias-of', 'x-ignored'].some((mark) => mark in schema);
        expect([name, param, isDeclared]).toEqual([name, param, true]);
      }
    }
  });

  it('lets other machines call what their processes call, and of what clients may do only what detectors read', () => {
    const open = all.filter(([, spec]) => spec.fromHosts !== false);
    const ofClients = open.filter(([, { visibility }]) => visibility === 'public');
    expect(open.filter(([, { fromHosts }]) => fromHosts === true).map(([name]) => name)).toContain('surface.observe');
    expect(ofClients.map(([name, { fromHosts, effect }]) => [name, fromHosts, effect])).toEqual([
      ['surface.read_text', 'detectors', 'query'],
    ]);
  });

  it('names a time-out parameter only where there is one', () => {
    for (const [, { timeoutParam, params }] of all) {
      if (timeoutParam !== null) expect(Object.keys(params.properties)).toContain(timeoutParam);
    }
  });

  it('keeps internal methods out of the public list', () => {
    expect(PUBLIC_METHODS.some((name) => name.startsWith('terminal.') || name === 'yard.hello')).toBe(false);
    expect([...PUBLIC_METHODS].sort()).toEqual(PUBLIC_METHODS);
  });

  it('writes every summary as a sentence', () => {
    for (const [name, { summary }] of all)
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z`].*\.$/s)]);
  });
});
