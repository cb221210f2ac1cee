import { fail, type Result } from '@switchyard/protocol';
import type { Model } from './model.js';

/** The machine of the yard itself. It has no record: it is always there. */
export const LOCAL = 'local';

export type HostState = Result<'host.get'>['state'];
export type Load = NonNullable<Result<'host.get'>['load']>;

/** A machine that may join the yard. */
export interface HostRecord {
  /** Its name. */
  readonly id: string;
  readonly state: HostState;
  /** When the state became so, Unix milliseconds. */
  readonly since: number;
  readonly draining: boolean;
  readonly labels: readonly string[];
  readonly ptyHosts: number;
  readonly detectors: boolean;
  /** What the machine is known again by; null: it has never been here, or the next one is to be taken for it. */
  readonly identity: string | null;
  readonly lastContactAt: number | null;
  readonly refused: Refusal | null;
}

export interface Refusal {
  readonly identity: string;
  readonly code: string;
  readonly at: number;
}

/** What a machine says of itself while it is here. Not kept: it says it again. */
export interface Presence {
  readonly instance: string;
  readonly identity: string;
  readonly version: string;
  readonly platform: string;
  readonly home: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly load: Load;
}

/** @throws `not_found` */
export function hostNamed(model: Model, name: string): HostRecord {
  return model.hosts.get(name) ?? fail('not_found', `There is no host ${name}`, { host: name });
}

/** Part of a change. Also tells the journal where anything that others go by has changed. */
export function patchHost(model: Model, name: string, change: Partial<HostRecord>): HostRecord {
  const before = hostNamed(model, name);
  const state = change.state ?? before.state;
  const since = state === before.state ? before.since : model.now();
  const after = { ...before, ...change, state, since };
  model.hosts.put(after);
  if (state !== before.state || after.draining !== before.draining) noteHost(model, after, state);
  return after;
}

/** Part of a change: tells the journal. */
export function noteHost(model: Model, host: HostRecord, state: HostState | 'removed'): void {
  const { id, draining, lastContactAt } = host;
  const data = { host: id, state, draining, last_contact_at: lastContactAt };
  model.note({ kind: 'host.changed', workspace_id: null, surface_id: null, data });
}

/** The state of a machine that has just been heard of. @param known whether its terminals are */
export function stateWhenHere({ state, draining }: HostRecord, known: boolean): HostState {
  if (state === 'retired') return 'retired';
  if (!known) return 'connecting';
  return draining ? 'draining' : 'online';
}

/**
 * Whether a machine that says it is there is let in.
 *
 * @param present who is there under this name now, if anybody is
 * @returns the error code it is refused with, else null
 */
export function refusalOf(
  { identity }: HostRecord,
  comer: Pick<Presence, 'identity' | 'instance'>,
  present: Pick<Presence, 'identity' | 'instance'> | undefined,
): 'host_identity_changed' | 'host_name_taken' | null {
  if (identity === null || identity === comer.identity) {
    return present !== undefined && present.identity !== comer.identity ? 'host_name_taken' : null;
  }
  return present === undefined ? 'host_identity_changed' : 'host_name_taken';
}

/** Whether a machine may speak of a surface: it is there, or was when it was closed. @param host default: the yard's own */
export function isOn({ surfaces, closed }: Model, surfaceId: string, host: string = LOCAL): boolean {
  return (surfaces.get(surfaceId) ?? closed.get(surfaceId)?.surface)?.host === host;
}

/** Surfaces on a machine, those that are being ended among them. */
export function surfacesOn(model: Model, host: string): string[] {
  const open = [...model.surfaces.values()].filter((surface) => surface.host === host && surface.type === 'terminal');
  const closing = [...model.closed.values()].filter(({ phase, surface }) => phase !== 'gone' && surface.host === host);
  return [...open, ...closing].map(({ id }) => id);
}
