/**
 * Every subject of the bus. Tokens hold no dot, blank or wildcard, except a method name and the name of an event, which
 * are the tail. `<space>` keeps yards apart that share a broker. `<host>` is the machine of whoever sends or, in subjects
 * that one process listens on, of that process: so a broker can be told what a machine may say and hear (docs/fleet.md).
 *
 * sy.m.<space>.<service>.<address>.<host>.<method>   requests, shared by the members of one service and address
 * sy.c.<space>.<service>.<address>.<host>   call ids that callers withdrew, heard by every member
 * sy.r.<space>.<host>.<instance>.<n>        replies to one caller; `<host>.<instance>.<n>` is the call id
 * sy.b.<space>.<host>.<instance>            "send me the body of your call n", for requests too large for one message
 * sy.p.<space>.<host>.<instance>.<n>        pieces of such a body, to the service that asked
 * sy.a.<space>.<host>.<instance>.<n>        "your piece has come", to the sender of something large
 * sy.e.<space>.<host>.<event>               events
 * sy.s.<space>.<host>.<instance>.<n>        answers to a survey of the services
 *
 * Every `<n>` but that of a survey is secret to those who were told it (call-numbers.ts): whoever is allowed to answer the
 * processes of a machine can answer only what it was asked. A subject to answer at is followed only where it leads to one
 * of the kind that is expected, since whoever asks may be allowed less than whoever answers.
 */
const TOKEN = /^[A-Za-z0-9_-]+$/;
/** Of a bus that serves one yard only. */
export const DEFAULT_SPACE = '_';
/** The machine of the yard itself. */
export const LOCAL_HOST = 'local';

/** All requests of a service and address share this queue group. */
export const QUEUE = 'sy';

/** Which yard, and from which of its machines. */
export interface Site {
  readonly space: string;
  readonly host: string;
}

/** One process on the bus. */
export interface Station extends Site {
  /** Unique to this run of the process. */
  readonly instance: string;
}

/** @throws Error for an address that would change the meaning of a subject */
export function checkToken(what: string, token: string): void {
  if (!TOKEN.test(token)) throw new Error(`${what} must match ${TOKEN.source}, not ${JSON.stringify(token)}`);
}

export const requestSubject = ({ space, host }: Site, service: string, address: string, method: string) =>
  `sy.m.${space}.${service}.${address}.${host}.${method}`;
export const servedSubject = ({ space }: Site, service: string, address: string) =>
  `sy.m.${space}.${service}.${address}.>`;
export const cancelSubject = ({ space, host }: Site, service: string, address: string) =>
  `sy.c.${space}.${service}.${address}.${host}`;
export const cancelsSubject = ({ space }: Site, service: string, address: string) =>
  `sy.c.${space}.${service}.${address}.*`;
export const replySubject = ({ space }: Site, callId: string) => `sy.r.${space}.${callId}`;
export const repliesSubject = (to: Station) => `sy.r.${placeOf(to)}.*`;
/** @param caller `<host>.<instance>`, as {@link splitCallId} gives it */
export const bodySubject = ({ space }: Site, caller: string) => `sy.b.${space}.${caller}`;
export const bodiesSubject = (of: Station) => `sy.b.${placeOf(of)}`;
export const fetchSubject = (to: Station, n: string) => `sy.p.${placeOf(to)}.${n}`;
export const fetchesSubject = (to: Station) => `sy.p.${placeOf(to)}.*`;
export const ackSubject = (to: Station, n: string) => `sy.a.${placeOf(to)}.${n}`;
export const acksSubject = (to: Station) => `sy.a.${placeOf(to)}.*`;
export const eventSubject = ({ space, host }: Site, event: string) => `sy.e.${space}.${host}.${event}`;
/** @param host whose events; `*`: of every machine */
export const eventsSubject = ({ space }: Site, host: string, event: string) => `sy.e.${space}.${host}.${event}`;

const placeOf = ({ space, host, instance }: Station) => `${space}.${host}.${instance}`;

/** The id of a call of this process; its replies lead here. */
export const callIdAt = ({ host, instance }: Station, n: string) => `${host}.${instance}.${n}`;

/** @returns the machine of the caller, and the method, of a request that arrived on `servedSubject` */
export function requestOf(subject: string, served: string): { host: string; method: string } {
  const tail = subject.slice(served.length - 1);
  const end = tail.indexOf('.');
  return { host: tail.slice(0, end), method: tail.slice(end + 1) };
}

/** Address of one of the pty-hosts of a machine. */
export const addressAt = (host: string, shard: number) => `${host}-${shard}`;
/** Whether it is one of that machine; a name may hold hyphens itself. */
export const isAddressAt = (host: string, address: string) =>
  address.startsWith(`${host}-`) && /^\d+$/.test(address.slice(host.length + 1));

/** @returns the machine that an event came from */
export const hostOfEvent = (subject: string) => subject.split('.')[3] ?? '';

/** @returns undefined when the reply subject is not one of ours: a stranger's request */
export function callIdOf({ space }: Site, reply: string | undefined): string | undefined {
  const ours = `sy.r.${space}.`;
  return reply?.startsWith(ours) ? reply.slice(ours.length) : undefined;
}

/** Whether a subject that somebody else named leads to a process that waits for a body. */
export const isFetch = ({ space }: Site, reply: string | undefined): reply is string =>
  reply?.startsWith(`sy.p.${space}.`) === true;
/** Whether it leads to a sender of pieces. */
export const isAck = ({ space }: Site, reply: string | undefined): reply is string =>
  reply?.startsWith(`sy.a.${space}.`) === true;

/** @returns the machine and instance of the caller (`caller` is both), and its number of the call */
export function splitCallId(callId: string): { caller: string; host: string; n: string } {
  const n = lastToken(callId);
  return { caller: callId.slice(0, -n.length - 1), host: callId.slice(0, callId.indexOf('.')), n };
}

/** Whether what somebody wrote into a message is the id of a call of that machine, and nothing that only begins so. */
export function isCallIdAt(host: string, callId: unknown): callId is string {
  if (typeof callId !== 'string') return false;
  const tokens = callId.split('.');
  return tokens.length === 3 && tokens[0] === host && tokens.every((token) => TOKEN.test(token));
}

/** @returns the last token: the number of a call or of a fetch */
export function lastToken(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

/** @returns the process that a subject with pieces leads to, as a key */
export function receiverOf(subject: string): string {
  return subject.slice(0, subject.lastIndexOf('.'));
}

export const surveyReplies = (to: Station, n: number) => `sy.s.${placeOf(to)}.${n}`;
/** Where every service of every yard on a broker is asked how it is. */
export const surveySubject = () => '$SRV.STATS';
/** What the subjects of all services of a yard begin with. */
export const servicesOf = ({ space }: Site) => `sy.m.${space}.`;

/** The names under which NATS tools look for services: all, all of a name, one. */
export const discoverySubjects = (name: string, id: string) => ['$SRV.*', `$SRV.*.${name}`, `$SRV.*.${name}.${id}`];
/** @returns `PING`, `INFO`, `STATS` or whatever else was asked */
export const discoveryVerb = (subject: string) => subject.split('.')[1] ?? '';
