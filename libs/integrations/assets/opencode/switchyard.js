// @switchyard-integration@
// Reports the session and the state of @agent@ to Switchyard. Written by `sy integration install @agent@`.
import { spawn } from 'node:child_process';

const LAUNCHER = '@launcher@';

/** Outside a terminal of a yard the plugin does nothing at all. */
const inYard = () => Boolean(process.env.SWITCHYARD_SOCKET && process.env.SWITCHYARD_SURFACE_ID);

let sequence = Date.now() * 1000;

/** Never waits and never fails: what goes wrong is not the agent's concern. */
function tell(event, payload) {
  try {
    sequence = Math.max(sequence + 1, Date.now() * 1000);
    const child = spawn(LAUNCHER, ['hook', '@agent@', event], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify({ ...payload, seq: sequence }));
    child.unref();
  } catch {}
}

export const Switchyard = async () => {
  if (!inYard()) return {};
  /** Sessions of sub-agents, by id: they do not tell what the agent itself does. */
  const children = new Set();
  /** Questions that wait for the person, whoever asks them. */
  const questions = new Map();
  let root = null;
  let busy = false;
  let told = null;

  const tellState = () => {
    const question = [...questions.values()].at(-1);
    const state = question ? 'blocked' : busy ? 'working' : 'idle';
    const key = `${state} ${question?.message ?? ''}`;
    if (key === told) return;
    told = key;
    tell(state, { session_id: root, ...question });
  };
  const adopt = (id, reason) => {
    if (!id || id === root || children.has(id)) return;
    root = id;
    tell('session', { session_id: id, reason });
  };

  const handlers = {
    'session.created': ({ info }) => {
      if (!info?.id) return;
      if (!info.parentID) return adopt(info.id, 'new');
      children.add(info.id);
      tell('session', { session_id: info.id, parent_session_id: info.parentID });
    },
    'session.deleted': ({ info }) => children.delete(info?.id),
    'session.status': ({ sessionID, status }) => {
      if (children.has(sessionID) || !status) return;
      if (status.type === 'idle') return settle(sessionID);
      adopt(sessionID, 'resume');
      busy = true;
      tellState();
    },
    'session.idle': ({ sessionID }) => settle(sessionID),
    'permission.asked': ({ id, permission, patterns, metadata }) =>
      ask(id, 'permission', `${permission}: ${metadata?.command ?? patterns?.join(' ') ?? ''}`),
    'permission.replied': ({ requestID, permissionID }) => answered(requestID ?? permissionID),
    'question.asked': ({ id, questions: asked }) => ask(id, 'question', asked?.[0]?.question ?? ''),
    'question.replied': ({ requestID }) => answered(requestID),
    'question.rejected': ({ requestID }) => answered(requestID),
  };
  function settle(sessionID) {
    if (children.has(sessionID) || (root && sessionID !== root)) return;
    busy = false;
    questions.clear();
    tellState();
  }
  function ask(id, question, message) {
    questions.set(id, { question, message });
    tellState();
  }
  function answered(id) {
    if (questions.delete(id)) tellState();
  }

  return {
    event: async ({ event }) => {
      try {
        handlers[event.type]?.(event.properties ?? {});
      } catch {}
    },
  };
};
