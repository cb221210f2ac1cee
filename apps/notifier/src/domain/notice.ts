import { displayText } from '@switchyard/agents';
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
/** Of a text that leaves as one line: what a desktop, a phone or a row of a table can show. */
const TITLE_CHARS = 120;
const EXCERPT_CHARS = 240;

/**
 * The text of a notification as it is kept: exactly what was sent, so that JSON readers lose nothing; whatever else is
 * made of it is {@link clean} (bug case H3).
 * @throws SwitchyardError `invalid_params` for a text over its limit
 */
export function noticeOf(given: { readonly [P in keyof Notice]?: string | undefined }): Notice {
  const title = bounded('title', given.title ?? '', LINE_LIMIT_BYTES);
  return {
    title: title.trim() === '' ? DEFAULT_TITLE : title,
    subtitle: bounded('subtitle', given.subtitle ?? '', LINE_LIMIT_BYTES),
    body: bounded('body', given.body ?? '', BODY_LIMIT_BYTES),
  };
}

/** @param customTitle of a surface that a person has named: it says where the notification comes from */
export function signed(notice: Notice, customTitle: string | null): Notice {
  return customTitle === null ? notice : { ...notice, title: `${notice.title} — ${customTitle}` };
}

/** A text in one line without control sequences, for everybody but those who read JSON from us. */
export const clean = (text: string): string => displayText(text, EXCERPT_CHARS);
export const cleanTitle = (text: string): string => displayText(text, TITLE_CHARS);

function bounded(name: string, text: string, limit: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) fail('invalid_params', `${name} has ${bytes} bytes; ${limit} are allowed.`, { limit, bytes });
  return text;
}
