import { describe, expect, it } from 'vitest';
import { contract, type MethodName } from './contract/index.js';
import { SwitchyardError } from './errors.js';
import { checkResult, validateParams } from './validate.js';

function refusal(method: MethodName, given: unknown) {
  try {
    validateParams(method, given);
  } catch (error) {
    if (error instanceof SwitchyardError) return { code: error.code, message: error.message, data: error.data };
    throw error;
  }
  return undefined;
}

describe('validateParams', () => {
  it('can compile the schemas of every method', () => {
    for (const name of Object.keys(contract) as MethodName[]) {
      expect(() => validateParams(name, [])).toThrow('params must be an object');
      expect(refusal(name, { 'no-such-parameter': 1 })?.code).toBe('invalid_params');
      expect(() => checkResult(name, 5)).toThrow(/must be object/);
    }
  });

  it('gives canonical parameters', () => {
    expect(validateParams('surface.split', { direction: 'R', focus: 'no', tab_id: 'TAB:3' })).toEqual({
      direction: 'right',
      focus: false,
      surface_id: 'tab:3',
    });
    expect(validateParams('surface.wait', { pattern: ' x ', timeout: '500' })).toEqual({
      pattern: ' x ',
      timeout_ms: 500,
    });
    expect(
      validateParams('workspace.create', { working_directory: '/a', initial_env: { A: '' }, focus: true }),
    ).toEqual({
      cwd: '/a',
      env: { A: '' },
    });
  });

  it('names what is missing', () => {
    expect(refusal('surface.focus', {})).toEqual({
      code: 'invalid_params',
      message: 'Missing or invalid surface_id',
      data: { path: 'surface_id', reason: 'missing' },
    });
  });

  it.each([true, 1.5, '1.5', 2 ** 60])('refuses %j as an integer', (index) => {
    expect(refusal('workspace.reorder', { workspace_id: 'workspace:1', index })?.message).toBe(
      'Missing or invalid index',
    );
    expect(refusal('surface.reorder', { surface_id: 'surface:1', index })?.data).toMatchObject({ path: 'index' });
    expect(refusal('pane.resize', { pane_id: 'pane:1', direction: 'left', amount: index })?.code).toBe(
      'invalid_params',
    );
  });

  it('names an unknown parameter and the known ones, so that a misspelt option is noticed', () => {
    const error = refusal('workspace.rename', { workspace_id: 'workspace:1', titel: 'x' });
    expect(error?.message).toBe('Unknown parameter titel');
    expect(error?.data).toMatchObject({ path: 'titel', reason: 'unknown', known: expect.arrayContaining(['title']) });
    expect(refusal('window.list', JSON.parse('{"__proto__":1}'))?.message).toBe('Unknown parameter __proto__');
  });

  it('lists the words of a closed set', () => {
    expect(refusal('tab.action', { action: 'fly-away' })?.data).toMatchObject({
      action: 'fly_away',
      supported_actions: expect.arrayContaining(['close_left', 'mark_unread']),
    });
  });

  it('says where in a nested value the fault is', () => {
    expect(refusal('system.identify', { caller: { workspace_id: [] } })?.data).toMatchObject({
      path: 'caller.workspace_id',
    });
    expect(refusal('surface.create', { argv: ['a', 'b\u0000'] })?.data).toMatchObject({ path: 'argv.1' });
    expect(refusal('surface.create', { env: { 'A=B': 'x' } })?.data).toMatchObject({ path: 'env' });
  });

  it('takes a request_id on every public mutation and on nothing else', () => {
    for (const [name, spec] of Object.entries(contract)) {
      const keyed = spec.effect === 'mutation' && spec.visibility === 'public';
      expect([name, 'request_id' in spec.params.properties]).toEqual([name, keyed]);
    }
  });

  it('answers method_not_found for a name that is not in the contract', () => {
    for (const name of ['no.such', 'constructor', '__proto__']) {
      expect(() => validateParams(name as string, {})).toThrow('Unknown method');
    }
  });
});

describe('checkResult', () => {
  it('passes a result with further fields and says where one is wrong', () => {
    expect(checkResult('window.current', { window_id: 'W', window_ref: 'window:1', more: 1 })).toMatchObject({
      window_id: 'W',
    });
    expect(() => checkResult('window.current', { window_id: 'W', window_ref: 3 })).toThrow(
      'result of window.current: /window_ref must be string',
    );
  });
});
