import { describe, expect, it } from 'vitest';
import { LayoutProblem, paneCount, readLayout, surfaceCount } from './saved-layout.js';

const file = (layout: unknown, more: object = {}) => ({
  schemaVersion: 1,
  name: 'x',
  savedAt: 'then',
  layout,
  ...more,
});
const pane = (...surfaces: object[]) => ({
  pane: { surfaces: surfaces.length === 0 ? [{ type: 'terminal' }] : surfaces },
});
const split = (first: unknown, second: unknown, more: object = {}) => ({
  direction: 'horizontal',
  children: [first, second],
  ...more,
});

function problemOf(value: unknown): LayoutProblem {
  try {
    readLayout(value, 'x');
  } catch (error) {
    if (error instanceof LayoutProblem) return error;
  }
  throw new Error('it was read');
}

describe('the file of a layout', () => {
  it('is named after its file, whatever it says itself', () => {
    expect(readLayout(file(pane()), 'dev')).toEqual({ schemaVersion: 1, name: 'dev', savedAt: 'then', layout: pane() });
  });

  it('keeps what it knows of a surface and ignores the rest', () => {
    const known = {
      type: 'terminal',
      name: 'server',
      cwd: 'api',
      env: { PORT: '1' },
      focus: true,
      argv: ['make', 'run'],
      remainOnExit: true,
    };
    const { layout } = readLayout(file(pane({ ...known, shade: 'green' })), 'x');
    expect(layout).toEqual(pane(known));
  });

  it('takes null and blank text for nothing said', () => {
    const { layout } = readLayout(file(pane({ type: 'terminal', name: ' ', cwd: '', command: null, env: null })), 'x');
    expect(layout).toEqual(pane());
  });

  it('counts its panes and surfaces', () => {
    const layout = readLayout(file(split(pane(), split(pane({}, {}), pane()))), 'x').layout;
    expect([paneCount(layout), surfaceCount(layout)]).toEqual([3, 4]);
  });

  it('of another version is told apart from a broken one', () => {
    expect(problemOf({ ...file(pane()), schemaVersion: 2 }).kind).toBe('version');
    expect(problemOf({ layout: pane() }).kind).toBe('version');
    expect(problemOf(file({})).kind).toBe('shape');
  });

  it.each([
    ['nothing', null, 'the file'],
    ['neither pane nor split', file({}), 'layout'],
    ['both', file({ ...pane(), direction: 'vertical' }), 'layout'],
    ['a pane without surfaces', file({ pane: { surfaces: [] } }), 'layout.pane.surfaces'],
    ['three children', file({ direction: 'vertical', children: [pane(), pane(), pane()] }), 'layout.children'],
    ['another direction', file(split(pane(), pane(), { direction: 'up' })), 'layout.direction'],
    ['a share that is no number', file(split(pane(), pane(), { split: 'half' })), 'layout.split'],
    ['a fault deep inside', file(split(pane(), split(pane(), {}))), 'layout.children[1].children[1]'],
    ['a variable without a name', file(pane({ env: { 'A=B': '1' } })), 'layout.pane.surfaces[0].env'],
    ['a NUL', file(pane({ cwd: 'a\0b' })), 'layout.pane.surfaces[0].cwd'],
    ['no program', file(pane({ argv: [] })), 'layout.pane.surfaces[0].argv'],
    ['an agent of no kind', file(pane({ agent: {} })), 'layout.pane.surfaces[0].agent.kind'],
    ['a command for a program', file(pane({ command: 'ls', argv: ['make'] })), 'layout.pane.surfaces[0].command'],
  ])('is refused with %s, and says where', (_what, value, at) => {
    expect(problemOf(value).at).toBe(at);
  });

  it('is refused when it is deeper or larger than any that a person has made', () => {
    let deep: unknown = pane();
    for (let i = 0; i < 70; i++) deep = split(pane(), deep);
    expect(problemOf(file(deep)).message).toMatch(/deeper/);
    expect(problemOf(file(pane(...Array.from({ length: 600 }, () => ({}))))).message).toMatch(/at most 512/);
  });
});
