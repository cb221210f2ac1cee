import { cleanText } from './clean-text.js';

/** An event or a gap, as it comes over the wire. */
export interface ShownEvent {
  readonly event: string;
  readonly at?: number;
  readonly workspace_id?: string | null;
  readonly surface_id?: string | null;
  readonly data?: object;
  readonly reason?: string;
  readonly count?: number | null;
}

/** Of an id its beginning tells it from the others of a yard, and it can be searched for. */
const ID_CHARS = 8;
const KIND_COLUMN = 26;
/** A line of a wide terminal. */
const DATA_CHARS = 160;

/** `20:14:03.512  workspace.renamed  A1B2C3D4  title=api custom_title=api` */
export function eventLine({ event, at, workspace_id, surface_id, data = {}, reason, count }: ShownEvent): string {
  if (event === 'gap')
    return `-- ${count ?? 'an unknown number of'} events are missing here (${cleanText(reason ?? '')})`;
  const time = at === undefined ? '' : timeOfDay(new Date(at));
  const id = (surface_id ?? workspace_id ?? '').slice(0, ID_CHARS).padEnd(ID_CHARS);
  const facts = Object.entries(data).map(([name, value]) => `${name}=${shown(value)}`);
  return `${time}  ${cleanText(event).padEnd(KIND_COLUMN)}  ${id}  ${cleanText(facts.join(' '), DATA_CHARS)}`.trimEnd();
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function timeOfDay(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${time}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
