import { expect, it } from 'vitest';
import { layoutLines } from './layout-lines.js';

it('shows a layout as an indented list', () => {
  const shell = { pane: { surfaces: [{ type: 'terminal' }] } };
  const busy = {
    pane: {
      surfaces: [
        { type: 'terminal', name: 'server', cwd: 'api', command: 'npm run dev', focus: true },
        { type: 'terminal', agent: { kind: 'claude', args: ['--model', 'opus'], name: 'reviewer' } },
      ],
    },
  };
  const below = {
    direction: 'vertical' as const,
    children: [shell, { pane: { surfaces: [{ type: 'terminal', argv: ['make'] }] } }],
  };
  expect(layoutLines({ direction: 'horizontal', split: 0.7, children: [busy, below] })).toEqual([
    'side by side, 70% and 30%',
    '  pane',
    '    terminal server, in api, types npm run dev, focused',
    '    terminal, agent claude --model opus, called reviewer',
    '  one above the other, 50% and 50%',
    '    pane',
    '      terminal',
    '    pane',
    '      terminal, runs make',
  ]);
});
