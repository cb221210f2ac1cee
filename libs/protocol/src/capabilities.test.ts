import { expect, it } from 'vitest';
import { capabilities } from './capabilities.js';
import { PUBLIC_METHODS } from './contract/index.js';
import { checkResult } from './validate.js';

it('capabilities list every public method and no internal one', () => {
  const answer = checkResult('system.capabilities', capabilities('/run/sy.sock', 'same-user'));
  expect(answer.methods).toEqual(PUBLIC_METHODS);
  expect(answer).toMatchObject({ version: 2, socket_path: '/run/sy.sock', access_mode: 'same-user' });
});
