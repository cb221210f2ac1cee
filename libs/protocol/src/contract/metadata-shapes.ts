import { bytes, handle, int, oneOf, opt, raw, str } from '../params.js';
import { Type } from '../schema.js';
import { nullable, tabAlias } from './shapes.js';

/** The peer's limits, in bytes of UTF-8 (programa-api §5.6). */
const LIMIT = {
  key: 512,
  value: 16 * 1024,
  icon: 256,
  color: 128,
  url: 4096,
  message: 64 * 1024,
  source: 512,
  label: 512,
  directory: 4096,
  branch: 1024,
  tty: 1024,
  markdown: 256 * 1024,
} as const;

/** A key tells entries apart: cleaning it could make two of them one. */
const NO_CONTROLS = { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' };
const HTTP = { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$' };

export const text = (description: string, limit: keyof typeof LIMIT) => str(description, bytes(LIMIT[limit]));
export const lines = (description: string, limit: keyof typeof LIMIT) =>
  raw(description, { ...bytes(LIMIT[limit]), minLength: 1 });
export const url = (description: string) => str(description, { ...bytes(LIMIT.url), ...HTTP });
export const key = str('Names the entry: setting it again replaces it.', { ...bytes(LIMIT.key), ...NO_CONTROLS });
export const directory = str('Absolute path.', { ...bytes(LIMIT.directory), pattern: '^/[^\\u0000-\\u001f\\u007f]*$' });
export const priority = opt(int('Higher ones come first. Default 0.', { minimum: -9999, maximum: 9999 }));
export const FORMATS = ['plain', 'markdown'] as const;
/** How a line beside a workspace looks. */
export const statusLooks = {
  icon: opt(text('Name of an icon, or a character.', 'icon')),
  color: opt(text('As the client that shows it understands it: `#rrggbb` or a name.', 'color')),
  url: opt(url('Where it leads; http or https.')),
  priority,
  format: opt(oneOf([...FORMATS], 'How the value is meant. Default plain.')),
};
export const source = opt(text('Who says so.', 'source'));

export const LOG_LEVELS = ['info', 'progress', 'success', 'warning', 'error'] as const;
export const LogLevel = Type.Enum([...LOG_LEVELS]);
export const level = opt(oneOf([...LOG_LEVELS], 'Default info.', { warn: 'warning' }));

/** Reports are answered without a look whether their target exists (programa-api decision 6). */
export const reported = {
  workspace_id: Type.String({ description: 'As it was sent, where nothing has it.' }),
  workspace_ref: nullable(Type.String()),
};
export const reportedSurface = {
  ...reported,
  surface_id: Type.String({ description: 'As it was sent, where nothing has it.' }),
  surface_ref: nullable(Type.String()),
};
export const aboutSurface = { workspace_id: handle('workspace'), surface_id: handle('surface'), ...tabAlias };
export const aboutWorkspace = { workspace_id: handle('workspace') };

export const SHELL_STATES = ['prompt', 'running', 'unknown'] as const;
export const PR_STATES = ['open', 'merged', 'closed'] as const;
export const PR_CHECKS = ['pass', 'fail', 'pending'] as const;

export const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** A port on which a process of a terminal listens. */
export const ListeningPort = Type.Object({
  port: Port,
  addresses: Type.Array(Type.String(), { description: '`0.0.0.0` and `::` are all of the machine.' }),
  pid: Type.Integer(),
  process: Type.String({ description: 'Short name of the process.' }),
});
