import { describe, expect, it } from 'vitest';
import { deliveryRow, notificationRow } from './notification-lines.js';

const NOW = 1_000_000;

describe('rows of notifications', () => {
  const row = {
    id: 'E0000000-0000-4000-8000-000000000001',
    workspace_id: 'W',
    surface_id: 'S',
    is_read: false,
    title: 'claude-code asks for permission',
    subtitle: 'api',
    body: '',
    reason: 'agent_blocked' as const,
    agent: 'claude-code',
    workspace: 'api',
    excerpt: 'Bash: npm test',
    action: { kind: 'answer' as const, command: 'sy attach surface:3' },
    created_at: NOW - 60_000,
    suppressed: null,
  };

  it('say what, where, since when, and what to do next', () => {
    const shown = [
      '*',
      'E0000000',
      '1m',
      'api',
      'claude-code asks for permission',
      'Bash: npm test',
      'sy attach surface:3',
    ];
    expect(notificationRow(row, NOW)).toEqual(shown);
    const other = notificationRow({ ...row, is_read: true, subtitle: 'second line', excerpt: '' }, NOW);
    expect([other[0], other[5]]).toEqual(['', 'second line']);
  });

  it('of deliveries say what became of them', () => {
    const delivery = {
      ...{ id: 'F0000000-1', notification_id: null, workspace_id: null, surface_id: null },
      ...{
        adapter: 'webhook' as const,
        state: 'failed' as const,
        title: 'Build',
        attempts: 2,
        error: 'it answered 401',
      },
      ...{ created_at: NOW - 5000, next_at: null, finished_at: NOW },
    };
    expect(deliveryRow(delivery, NOW)).toEqual([
      'F0000000',
      '5s',
      'webhook',
      'failed',
      '2',
      'Build',
      'it answered 401',
    ]);
  });
});
