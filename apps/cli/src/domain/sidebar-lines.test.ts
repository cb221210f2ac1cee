import { describe, expect, it } from 'vitest';
import { type Sidebar, sidebarLines } from './sidebar-lines.js';

const EMPTY: Sidebar = {
  ...{ window_id: 'W', window_ref: 'window:1', workspace_id: 'A', workspace_ref: 'workspace:1' },
  ...{ focused_surface_id: 'S', focused_surface_ref: 'surface:1', color: null, cwd: '/srv', focused_cwd: '/srv/shop' },
  ...{ git_branch: null, pull_request: null, ports: [], progress: null, progress_entries: [] },
  ...{ status_entries: [], metadata_blocks: [], log_count: 0, recent_log_entries: [] },
};
const looks = { icon: null, color: null, url: null, priority: 0, format: 'plain' as const };
const pr = { number: 42, label: 'PR', url: 'https://example.org/42', branch: null, title: '', draft: false };

describe('what is shown beside a workspace, as text', () => {
  it('is one line where there is nothing', () => {
    expect(sidebarLines(EMPTY)).toEqual(['workspace:1 /srv/shop']);
  });

  it('has a line for each thing', () => {
    const lines = sidebarLines({
      ...EMPTY,
      git_branch: { branch: 'feat/x', dirty: true },
      pull_request: { ...pr, state: 'open', checks: 'pass' },
      ports: [3000, 5173],
      progress_entries: [
        { key: 'main', label: 'main', value: 0.5, total: 1 },
        { key: 'files', label: 'Files', value: 12, total: 40 },
      ],
      status_entries: [{ key: 'build', value: 'compiling\ntwo', ...looks, url: 'https://ci' }],
      metadata_blocks: [{ key: 'plan', markdown: '# Plan\n- x', priority: 0 }],
      log_count: 60,
      recent_log_entries: [{ message: 'ship it', level: 'info', source: 'ci', timestamp: 0 }],
    });
    expect(lines).toEqual([
      'workspace:1 /srv/shop',
      'branch feat/x *',
      'PR 42 open, checks pass <https://example.org/42>',
      'ports 3000 5173',
      '50%',
      '30% (12/40) Files',
      'build: compiling\n  two <https://ci>',
      '--- plan',
      '# Plan',
      '- x',
      'log, the last of 60:',
      '1970-01-01T00:00:00Z info ci: ship it',
    ]);
  });
});
