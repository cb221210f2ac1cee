import { expect, it } from 'vitest';
import { byWindow, readPanes } from './tmux-panes.js';

it('reads the panes of a tmux server, each once, window by window', () => {
  const rows = [
    ['%0', '@0', '/tmp/s', 'main', 'edit', 'vim', '/home/ada'],
    ['%1', '@1', '/tmp/s', 'main', 'run', 'sh', '/'],
    ['%2', '@0', '/tmp/s', 'main', 'edit', 'bash', '/home/ada'],
    ['%1', '@1', '/tmp/s', 'other', 'run', 'sh', '/'],
  ];
  const panes = readPanes(`${rows.map((row) => row.join('\t')).join('\n')}\n`);
  expect(panes[0]).toEqual({
    id: '%0',
    socket: '/tmp/s',
    session: 'main',
    title: 'main:edit',
    window: '@0',
    command: 'vim',
    cwd: '/home/ada',
  });
  expect(byWindow(panes).map((window) => window.map(({ id }) => id))).toEqual([['%0', '%2'], ['%1']]);
});
