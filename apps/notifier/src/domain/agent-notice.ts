import type { AgentNews } from './agent-turns.js';
import type { Notice } from './notice.js';
import type { Place } from './words.js';

const ASKS: Readonly<Record<string, string>> = {
  permission: 'asks for permission',
  question: 'asks a question',
  trust: 'asks whether to trust its folder',
  setup: 'wants to be set up',
  auth: 'wants you to log in',
};

/** What is said of an agent: who, what, where, and why. */
export function agentNotice(news: AgentNews, place: Pick<Place, 'workspace_title' | 'surface_title'>): Notice {
  const who = news.agent ?? 'The agent';
  return {
    title: `${who} ${deedOf(news)}`,
    subtitle: place.workspace_title,
    body: news.excerpt || (news.reason === 'agent_blocked' ? '' : place.surface_title),
  };
}

function deedOf({ reason, question, ended }: AgentNews): string {
  switch (reason) {
    case 'agent_blocked':
      return ASKS[question ?? ''] ?? 'waits for you';
    case 'agent_finished':
      return ended ? 'has ended' : 'has finished';
    case 'agent_failed':
      return 'has failed';
    case 'terminal':
      return 'has something to tell';
  }
}
