import { describe, expect, it } from 'vitest';
import { NAMED_COLOURS, parseColour } from './colours.js';
import { planRespawn, planTerminal } from './launch.js';
import { basename, resolveDirectory } from './paths.js';
import { terminalEnv } from './terminal-env.js';

describe('colours', () => {
  it('are sixteen names in any case, or six hex digits', () => {
    expect(Object.keys(NAMED_COLOURS)).toHaveLength(16);
    expect(parseColour('Navy')).toBe(NAMED_COLOURS['navy']);
    expect(parseColour('#a1b2c3')).toBe('#A1B2C3');
    expect([parseColour('#abc'), parseColour('mauve'), parseColour('toString')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('directories', () => {
  it('are absolute, below home, or relative to where the terminal is opened from', () => {
    const resolve = (given: string) => resolveDirectory(given, '/src/a', '/home/me');
    expect(['/x', '~', '~/y', '.', 'b/c', '../d', './e//f/..'].map(resolve)).toEqual([
      '/x',
      '/home/me',
      '/home/me/y',
      '/src/a',
      '/src/a/b/c',
      '/src/d',
      '/src/a/e',
    ]);
  });

  it('have a last part', () => {
    expect(['/bin/bash', '/srv/', '/', 'make'].map(basename)).toEqual(['bash', 'srv', '/', 'make']);
  });
});

describe('a planned terminal', () => {
  const around = { shell: '/bin/zsh', home: '/h', host: 'local', directory: '/d' };

  it('runs the shell, a command line in the shell, or a program', () => {
    expect(planTerminal({}, around).launch).toEqual({ argv: null, cwd: '/d', env: {} });
    expect(planTerminal({ initial_command: 'a | b' }, around).launch.argv).toEqual(['/bin/zsh', '-c', 'a | b']);
    expect(planTerminal({ argv: ['x', 'y'] }, around).launch.argv).toEqual(['x', 'y']);
  });

  it('is not both, and names a program', () => {
    expect(() => planTerminal({ argv: ['x'], initial_command: 'y' }, around)).toThrow();
    expect(() => planTerminal({ argv: [] }, around)).toThrow();
    expect(() => planTerminal({ argv: [''] }, around)).toThrow();
  });

  it('starts again as before, except for what is said', () => {
    const before = { argv: ['make'], cwd: '/b', env: { A: '1' } };
    expect(planRespawn({}, before, around)).toEqual(before);
    expect(planRespawn({ cwd: '~', initial_command: 'x' }, before, around)).toEqual({
      argv: ['/bin/zsh', '-c', 'x'],
      cwd: '/h',
      env: { A: '1' },
    });
  });
});

describe('the environment of a terminal (§6.6)', () => {
  const yard = { base: {}, socket: '/s', yard: 'main', version: '1', cliFolder: '/cli', compat: true };
  const terminal = { surfaceId: 'S', surfaceRef: 1, paneId: 'P', workspaceId: 'W', workspaceRef: 3, given: {} };

  it('gives each workspace a block of ports by its number, inside the range of ports', () => {
    expect(terminalEnv(yard, terminal)).toMatchObject({
      PROGRAMA_PORT: '9120',
      PROGRAMA_PORT_END: '9129',
      PROGRAMA_PORT_RANGE: '10',
    });
    const far = terminalEnv(yard, { ...terminal, workspaceRef: 1_000_000 });
    expect(Number(far['PROGRAMA_PORT_END'])).toBeLessThanOrEqual(65_535);
  });

  it('does not tell a program that it runs in the multiplexer the yard was started from', () => {
    const base = { TMUX: '/tmp/x', COLUMNS: '80', LANG: 'C.UTF-8', PROGRAMA_TAB_ID: 'outer' };
    const env = terminalEnv({ ...yard, base, compat: false }, terminal);
    expect([env['TMUX'], env['COLUMNS'], env['LANG']]).toEqual([undefined, undefined, 'C.UTF-8']);
    expect(env['PATH']).toBe('/cli:/usr/local/bin:/usr/bin:/bin');
  });
});
