/**
 * Every subject of the bus. Tokens hold no dot, blank or wildcard, except a method name, which is the tail.
 * `<space>` keeps yards apart that share a broker; the others need none, since an instance is unique everywhere.
 *
 * sy.m.<space>.<service>.<address>.<method>   requests, shared by the members of one service and address
 * sy.c.<space>.<service>.<address>    call ids that callers withdrew, heard by every member
 * sy.r.<instance>.<n>                 replies to one caller; `<instance>.<n>` is the call id
 * sy.b.<instance>                     "send me the body of your call n", for requests too large for one message
 * sy.p.<instance>.<n>                 pieces of such a body, to the service that asked
 * sy.a.<instance>.<n>                 "your piece has come", to the sender of something large
 * sy.e.<space>.<event>                events
 * sy.s.<instance>.<n>                 answers to a survey of the services
 */
const TOKEN = /^[A-Za-z0-9_-]+$/;
const REPLY = 'sy.r.';
/** Of a bus that serves one yard only. */
export const DEFAULT_SPACE = '_';

/** All requests of a service and address share this queue group. */
export const QUEUE = 'sy';

/** @throws Error for an address that would change the meaning of a subject */
export function checkToken(what: string, token: string): void {
  if (!TOKEN.test(token)) throw new Error(`${what} must match ${TOKEN.source}, not ${JSON.stringify(token)}`);
}

export const requestSubject = (space: string, service: string, address: string, method: string) =>
  `sy.m.${space}.${service}.${address}.${method}`;
export const servedSubject = (space: string, service: string, address: string) =>
  `sy.m.${space}.${service}.${address}.>`;
export const cancelSubject = (space: string, service: string, address: string) => `sy.c.${space}.${service}.${address}`;
export const replySubject = (callId: string) => REPLY + callId;
export const repliesSubject = (instance: string) => `${REPLY}${instance}.*`;
export const bodySubject = (instance: string) => `sy.b.${instance}`;
export const fetchSubject = (instance: string, n: string) => `sy.p.${instance}.${n}`;
export const fetchesSubject = (instance: string) => `sy.p.${instance}.*`;
export const ackSubject = (instance: string, n: string) => `sy.a.${instance}.${n}`;
export const acksSubject = (instance: string) => `sy.a.${instance}.*`;
export const eventSubject = (space: string, event: string) => `sy.e.${space}.${event}`;

/** @returns the method of a request that arrived on `servedSubject` */
export function methodOf(subject: string, served: string): string {
  return subject.slice(served.length - 1);
}

/** @returns undefined when the reply subject is not one of ours: a stranger's request */
export function callIdOf(reply: string | undefined): string | undefined {
  return reply?.startsWith(REPLY) ? reply.slice(REPLY.length) : undefined;
}

/** @returns the caller's instance and its number of the call */
export function splitCallId(callId: string): { instance: string; n: string } {
  const n = lastToken(callId);
  return { instance: callId.slice(0, -n.length - 1), n };
}

/** @returns the last token: the number of a call or of a fetch */
export function lastToken(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

/** @returns the instance that a subject with pieces leads to */
export function instanceOf(subject: string): string {
  return subject.split('.')[2] ?? '';
}

export const surveyReplies = (instance: string, n: number) => `sy.s.${instance}.${n}`;
/** Where every service of every yard on a broker is asked how it is. */
export const surveySubject = () => '$SRV.STATS';
/** What the subjects of all services of a yard begin with. */
export const servicesOf = (space: string) => `sy.m.${space}.`;

/** The names under which NATS tools look for services: all, all of a name, one. */
export const discoverySubjects = (name: string, id: string) => ['$SRV.*', `$SRV.*.${name}`, `$SRV.*.${name}.${id}`];
/** @returns `PING`, `INFO`, `STATS` or whatever else was asked */
export const discoveryVerb = (subject: string) => subject.split('.')[1] ?? '';
