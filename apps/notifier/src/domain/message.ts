import { cleanTitle } from './notice.js';
import type { Place, Row } from './words.js';

/** What is delivered. All of it is cleaned: it ends up on screens, in shells and in chats. */
export interface Message {
  readonly notification_id: string | null;
  readonly yard: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: Row['reason'] | 'shown';
  readonly agent: string | null;
  readonly title: string;
  readonly subtitle: string;
  readonly body: string;
  readonly workspace: { readonly id: string; readonly ref: string; readonly title: string } | null;
  readonly surface: { readonly id: string; readonly ref: string; readonly title: string } | null;
  readonly action: Row['action'] | null;
}

export function messageOf(item: Row, place: Place, yard: string): Message {
  const surface = { id: place.surface_id, ref: place.surface_ref, title: cleanTitle(place.surface_title) };
  return {
    notification_id: item.id,
    yard,
    at: new Date(item.created_at).toISOString(),
    reason: item.reason,
    agent: item.agent === null ? null : cleanTitle(item.agent),
    title: cleanTitle(item.title),
    subtitle: cleanTitle(item.subtitle),
    body: item.excerpt,
    workspace: { id: place.workspace_id, ref: place.workspace_ref, title: item.workspace },
    surface: item.surface_id === null ? null : surface,
    action: item.action,
  };
}
