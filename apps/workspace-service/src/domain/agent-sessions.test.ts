import { describe, expect, it } from 'vitest';
import { NO_SESSIONS, type SessionReport, type SurfaceSessions, withSession } from './agent-sessions.js';

const session = (sessionId: string, more: Partial<SessionReport> = {}): SessionReport => ({
  agent: 'claude-code',
  sessionId,
  transcriptPath: null,
  startReason: null,
  parentId: null,
  pid: 10,
  nested: false,
  sequence: null,
  ...more,
});
const after = (...reports: SessionReport[]): SurfaceSessions =>
  reports.reduce((sessions, report, at) => withSession(sessions, report, at).sessions, NO_SESSIONS);
const idsOf = ({ current, earlier, children }: SurfaceSessions) => ({
  current: current?.sessionId,
  earlier: earlier.map(({ sessionId }) => sessionId),
  children: children.map(({ sessionId }) => sessionId),
});

describe('the sessions of a terminal', () => {
  it('D15: the session after /clear replaces the one before', () => {
    const sessions = after(session('a', { startReason: 'startup' }), session('b', { startReason: 'clear' }));
    expect(idsOf(sessions)).toEqual({ current: 'b', earlier: ['a'], children: [] });
    expect(sessions.current).toMatchObject({ startReason: 'clear', since: 1 });
  });

  it('D15: the session of a nested agent does not, now or when it is named again', () => {
    const sessions = after(session('a'), session('n', { nested: true, pid: 11 }), session('n'));
    expect(idsOf(sessions)).toEqual({ current: 'a', earlier: [], children: ['n'] });
    expect(withSession(sessions, session('n'), 9).role).toBe('child');
  });

  it('keeps the session of a sub-agent apart, with its parent', () => {
    const sessions = after(session('a'), session('c', { parentId: 'a' }));
    expect(idsOf(sessions)).toEqual({ current: 'a', earlier: [], children: ['c'] });
    expect(sessions.children[0]?.parentId).toBe('a');
  });

  it('does not let an older report replace a newer session', () => {
    const { sessions, role } = withSession(after(session('b', { sequence: 20 })), session('a', { sequence: 10 }), 5);
    expect([idsOf(sessions).current, role]).toEqual(['b', 'ignored']);
  });

  it('is no news when it is said again, and keeps what is not said again', () => {
    const first = after(session('a', { transcriptPath: '/t', startReason: 'startup', sequence: 1 }));
    expect(withSession(first, session('a', { sequence: 2 }), 7).sessions, 'nothing is to be written').toBe(first);
    const { current } = withSession(first, session('a', { startReason: 'compact', sequence: 3 }), 8).sessions;
    expect(current).toMatchObject({ transcriptPath: '/t', startReason: 'compact', since: 0 });
  });

  it('comes back to an earlier session without naming it twice', () => {
    expect(idsOf(after(session('a'), session('b'), session('a')))).toEqual({
      current: 'a',
      earlier: ['b'],
      children: [],
    });
  });

  it('keeps the latest few', () => {
    const many = after(...Array.from({ length: 40 }, (_, i) => session(`s${i}`)));
    expect(many.earlier).toHaveLength(16);
    expect(many.earlier[0]?.sessionId).toBe('s38');
  });
});
