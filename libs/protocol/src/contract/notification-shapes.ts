import { Type } from '../schema.js';
import { nullable } from './shapes.js';

/** Why a person is told. */
export const NoticeReason = Type.Enum(
  ['request', 'terminal', 'bell', 'agent_blocked', 'agent_finished', 'agent_failed'],
  {
    description:
      'request: somebody called `notification.create`; terminal: the program asked for it (OSC 9, 99, 777); bell: it rang.',
  },
);

/** How much of a workspace is delivered. */
export const NoticeLevel = Type.Enum(['quiet', 'normal', 'all'], {
  description:
    'quiet: listed, never delivered; normal: delivered, but for bells, which are not listed; all: bells too.',
});

export const Suppressed = nullable(
  Type.Enum(['quiet', 'present', 'rate_limited', 'no_adapter']),
  'Why it is not delivered: its workspace is quiet, a person looks at it, there were too many, nothing is set up to ' +
    'deliver with. null: it is.',
);

export const NoticeAction = Type.Object(
  {
    kind: Type.Enum(['answer', 'review', 'restart', 'look'], { description: 'What a person would do next.' }),
    command: Type.String({ description: 'The command line that does it.' }),
  },
  { description: 'What is suggested.' },
);

const excerpt = Type.String({ description: 'One line of the text, cleaned of control sequences and cut short.' });

/** A notification as a row. */
export const Notification = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  surface_id: nullable(Type.String(), 'null: it told of the end of its program, and is gone with that.'),
  is_read: Type.Boolean(),
  title: Type.String({ description: 'As it was sent. Untrusted text.' }),
  subtitle: Type.String({ description: 'As it was sent. Untrusted text.' }),
  body: Type.String({ description: 'As it was sent. Untrusted text.' }),
  reason: NoticeReason,
  agent: nullable(Type.String(), 'The agent it is about.'),
  workspace: Type.String({ description: 'Title of the workspace then, cleaned.' }),
  excerpt,
  action: NoticeAction,
  created_at: Type.Number({ description: 'Unix milliseconds.' }),
  suppressed: Suppressed,
});

export const NoticeAdapter = Type.Enum(['desktop', 'command', 'webhook', 'file']);
export const DeliveryState = Type.Enum(['pending', 'delivered', 'failed', 'dropped'], {
  description: 'dropped: it was read or cleared before it could be delivered.',
});

/** One notification on its way through one adapter. */
export const Delivery = Type.Object({
  id: Type.String({ description: 'The same for every attempt.' }),
  notification_id: nullable(Type.String(), 'null: `notification.show`, of which nothing is kept.'),
  workspace_id: nullable(Type.String()),
  surface_id: nullable(Type.String()),
  adapter: NoticeAdapter,
  state: DeliveryState,
  title: excerpt,
  attempts: Type.Integer({ minimum: 0 }),
  error: nullable(Type.String(), 'Why the last attempt failed.'),
  created_at: Type.Number({ description: 'Unix milliseconds.' }),
  next_at: nullable(Type.Number(), 'When it is tried again, Unix milliseconds; null: not any more.'),
  finished_at: nullable(Type.Number(), 'Unix milliseconds; null: not yet.'),
});
