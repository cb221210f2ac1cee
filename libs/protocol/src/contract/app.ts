import { method } from '../define.js';
import { bool, oneOf, opt, orNull, params, result } from '../params.js';
import { Type } from '../schema.js';
import { nullable } from './shapes.js';

const owner = { owner: 'workspace-service' } as const;

const Browser = Type.Object({
  key: Type.String(),
  name: Type.String(),
  bundle_id: Type.String({ description: 'Its desktop-file id on Linux, its bundle id on macOS.' }),
  path: nullable(Type.String()),
  installed: Type.Boolean(),
  running: Type.Boolean(),
});

export const app = {
  'app.focus_override.set': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Pretends that a person looks at the screen, or does not; decides how notifications are treated.',
    params: params({
      state: opt(oneOf(['active', 'inactive', 'clear'], 'What to pretend.')),
      focused: opt(orNull(bool('The same as a truth value; null clears. Used when `state` is absent.'))),
    }),
    result: result({ override: nullable(Type.Boolean()) }),
  }),
  'app.simulate_active': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'As if a person came back: the notifications of the focused surface become read and it flashes.',
    params: params({}),
    result: result({}),
  }),
  'app.reload_config': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Reads the settings again; a wrong one leaves the present settings in force.',
    params: params({}),
    result: result({ reloaded: Type.Literal(true) }),
    errors: ['invalid_state'],
  }),
  'app.browsers': method({
    ...owner,
    effect: 'query',
    summary: 'The web browsers known on this machine.',
    params: params({}),
    result: result({ default: nullable(Type.String(), 'Key of the default one.'), browsers: Type.Array(Browser) }),
  }),
} as const;
