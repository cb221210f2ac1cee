import { fail } from '@switchyard/protocol';

/** What a notification says. */
export interface Notice {
  readonly title: string;
  readonly subtitle: string;
  readonly body: string;
}

const DEFAULT_TITLE = 'Notification';
/** A line that a desktop shows; generous. */
const LINE_LIMIT_BYTES = 4 * 1024;
/** As much as a status value or a short log: whatever is longer belongs into a file. */
const BODY_LIMIT_BYTES = 64 * 1024;

/**
 * The text of a notification as it is kept: exactly what was sent, so that JSON readers lose nothing; whoever shows it
 * in a terminal cleans it (bug case H3).
 * @param surfaceTitle of a surface that a person has named: it says where the notification comes from
 * @throws SwitchyardError `invalid_params` for a text over its limit
 */
export function noticeOf(
  given: { readonly title?: string; readonly subtitle?: string; readonly body?: string },
  surfaceTitle: string | null,
): Notice {
  const title = bounded('title', given.title ?? '', LINE_LIMIT_BYTES);
  const shown = title.trim() === '' ? DEFAULT_TITLE : title;
  return {
    title: surfaceTitle === null ? shown : `${shown} — ${surfaceTitle}`,
    subtitle: bounded('subtitle', given.subtitle ?? '', LINE_LIMIT_BYTES),
    body: bounded('body', given.body ?? '', BODY_LIMIT_BYTES),
  };
}

function bounded(name: string, text: string, limit: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) fail('invalid_params', `${name} has ${bytes} bytes; ${limit} are allowed.`, { limit, bytes });
  return text;
}
