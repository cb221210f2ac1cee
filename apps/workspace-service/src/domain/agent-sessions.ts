/** A conversation of an agent in a terminal, as its hooks name it. */
export interface AgentSession {
  readonly agent: string;
  readonly sessionId: string;
  readonly transcriptPath: string | null;
  readonly startReason: string | null;
  readonly parentId: string | null;
  readonly pid: number | null;
  /** When it was first reported. */
  readonly since: number;
}

/** The conversations of one terminal. */
export interface SurfaceSessions {
  readonly current: AgentSession | null;
  /** Those that it replaced, the latest first. */
  readonly earlier: readonly AgentSession[];
  /** Of sub-agents and of agents that an agent started, the latest first. */
  readonly children: readonly AgentSession[];
  /** Number of the newest report about the present one. */
  readonly sequence: number | null;
}

export interface SessionReport extends Omit<AgentSession, 'since'> {
  readonly nested: boolean;
  readonly sequence: number | null;
}

export type SessionRole = 'root' | 'child' | 'ignored';

/** Enough to find the way back; a sub-agent for each file of a project would be too many. */
const MOST_KEPT = 16;

export const NO_SESSIONS: SurfaceSessions = { current: null, earlier: [], children: [], sequence: null };

/**
 * Takes a report in. Another session of the agent itself, as after `/clear`, replaces the present one; that of a
 * sub-agent or of an agent inside the agent never does.
 *
 * @param before is given back as it is when the report is no news
 * @param at when it came, Unix milliseconds
 */
export function withSession(
  before: SurfaceSessions,
  report: SessionReport,
  at: number,
): { readonly sessions: SurfaceSessions; readonly role: SessionRole } {
  if (isChild(before, report)) return { sessions: withChild(before, report, at), role: 'child' };
  if (isOld(before, report)) return { sessions: before, role: 'ignored' };
  return { sessions: withRoot(before, report, at), role: 'root' };
}

function isChild({ current, children }: SurfaceSessions, { sessionId, nested, parentId }: SessionReport): boolean {
  if (sessionId === current?.sessionId) return false;
  return nested || parentId !== null || children.some((child) => child.sessionId === sessionId);
}

function isOld({ sequence }: SurfaceSessions, report: SessionReport): boolean {
  return sequence !== null && report.sequence !== null && report.sequence < sequence;
}

function withRoot(before: SurfaceSessions, report: SessionReport, at: number): SurfaceSessions {
  const { current } = before;
  if (current === null || current.sessionId !== report.sessionId) {
    const earlier = current === null ? before.earlier : without(before.earlier, report.sessionId, current);
    return { ...before, current: sessionOf(report, at), earlier, sequence: report.sequence };
  }
  const next = merged(current, report);
  return isSame(next, current) ? before : { ...before, current: next, sequence: report.sequence };
}

function withChild(before: SurfaceSessions, report: SessionReport, at: number): SurfaceSessions {
  const known = before.children.find((child) => child.sessionId === report.sessionId);
  const next = known === undefined ? sessionOf(report, at) : merged(known, report);
  if (known !== undefined && isSame(next, known)) return before;
  return { ...before, children: without(before.children, report.sessionId, next) };
}

/** A list with `first` in front and no other entry of that id. */
function without(list: readonly AgentSession[], sessionId: string, first: AgentSession): AgentSession[] {
  const others = list.filter((one) => one.sessionId !== sessionId && one.sessionId !== first.sessionId);
  return [first, ...others].slice(0, MOST_KEPT);
}

function sessionOf({ nested: _, sequence: __, ...facts }: SessionReport, since: number): AgentSession {
  return { ...facts, since };
}

/** What a later report does not say stays. */
function merged(known: AgentSession, report: SessionReport): AgentSession {
  return {
    ...known,
    agent: report.agent,
    transcriptPath: report.transcriptPath ?? known.transcriptPath,
    startReason: report.startReason ?? known.startReason,
    parentId: report.parentId ?? known.parentId,
    pid: report.pid ?? known.pid,
  };
}

function isSame(a: AgentSession, b: AgentSession): boolean {
  return (Object.keys(a) as (keyof AgentSession)[]).every((key) => a[key] === b[key]);
}
