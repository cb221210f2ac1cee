import type { Result } from '@switchyard/protocol';
import { ageText } from './age.js';

type Notification = Result<'notification.list'>['notifications'][number];
type Delivery = Result<'notification.deliveries'>['deliveries'][number];

/** Of an id its beginning tells it from the others, and is enough to name it. */
export const ID_CHARS = 8;

export const NOTIFICATION_HEADING = ['', 'ID', 'AGE', 'WORKSPACE', 'WHAT', 'MORE', 'NEXT'];
export const DELIVERY_HEADING = ['ID', 'AGE', 'BY', 'STATE', 'TRIES', 'WHAT', 'WHY'];

const UNREAD = '*';

export function notificationRow(row: Notification, now: number): string[] {
  const { id, is_read, created_at, workspace, title, subtitle, excerpt, action } = row;
  // Where the workspace stands already it needs not be said twice.
  const more = [subtitle === workspace ? '' : subtitle, excerpt].filter((part) => part !== '').join(': ');
  return [is_read ? '' : UNREAD, shortId(id), ageText(now - created_at), workspace, title, more, action.command];
}

export function deliveryRow(
  { id, created_at, adapter, state, attempts, title, error }: Delivery,
  now: number,
): string[] {
  return [shortId(id), ageText(now - created_at), adapter, state, String(attempts), title, error ?? ''];
}

const shortId = (id: string) => id.slice(0, ID_CHARS);
