import type { Dialect } from '@switchyard/protocol';

/** The way to one client, for what it is told unasked. */
export interface PushChannel {
  /** Whether the client has taken what was pushed so far, up to a little. Who pushes all the same fills memory. */
  readonly hasRoom: boolean;
  /** @param lines whole frames, line feeds included */
  push(lines: string): void;
  /** `fn` runs whenever there is room again. @returns ends it */
  onRoom(fn: () => void): () => void;
}

/** A frame as a line. @param members the JSON of an object without its braces */
export function frameLine(dialect: Dialect, event: string, members: string): string {
  return `${dialect.eventText(event, members)}\n`;
}

/** The members of an object as JSON, without the braces. */
export function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
