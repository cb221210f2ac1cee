import { describe, expect, it } from 'vitest';
import { parseSettings, SettingsError } from './parse-settings.js';

const FILE = '/etc/yard/config.toml';

function problem(text: string): string {
  try {
    parseSettings(text, FILE);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

describe('parseSettings', () => {
  it('gives every setting its default when the file is empty', () => {
    const settings = parseSettings('', FILE);
    expect(settings.gateway.access_mode).toBe('same-user');
    expect(settings.layout.pane_cap).toBe(64);
    expect(settings.compat.programa).toBe(false);
  });

  it('takes values from tables, dotted keys and inline tables', () => {
    const settings = parseSettings(
      'services.pty_hosts = 2\nlog = { level = "debug" }\n[layout]\ncolumns = 100\n',
      FILE,
    );
    expect(settings.services).toEqual({ pty_hosts: 2, detectors: 1 });
    expect(settings.log.level).toBe('debug');
    expect(settings.layout).toMatchObject({ columns: 100, rows: 50 });
  });

  it('names file, line and key of a wrong value', () => {
    expect(problem('# mine\n\n[gateway]\nmax_connections = "many"\n')).toBe(
      `${FILE}:4: gateway.max_connections: must be an integer`,
    );
    expect(problem('[services]\ndetectors = 1\npty_hosts = 0')).toBe(`${FILE}:3: services.pty_hosts: must be >= 1`);
    expect(problem('[log]\nlevel = "loud"')).toContain(`${FILE}:2: log.level: must be one of trace, debug`);
    expect(problem('compat = 5')).toBe(`${FILE}:1: compat: must be a table: [compat]`);
    expect(problem('layout = { columns = 80, rows = 1 }')).toBe(`${FILE}:1: layout.rows: must be >= 5`);
  });

  it('refuses an unknown key and suggests the one that was meant', () => {
    expect(problem('[gateway]\nmax_conections = 3')).toBe(
      `${FILE}:2: gateway.max_conections: unknown setting; did you mean gateway.max_connections?`,
    );
    expect(problem('[gatway]\nmax_connections = 3')).toBe(`${FILE}:1: gatway: unknown setting; did you mean gateway?`);
    expect(problem('[zzzzzzzz]')).toBe(`${FILE}:1: zzzzzzzz: unknown setting`);
  });

  it('reports every problem, in the order of the file', () => {
    expect(problem('[layout]\nrows = 1\ncolumns = 1\n').split('\n')).toEqual([
      `${FILE}:2: layout.rows: must be >= 5`,
      `${FILE}:3: layout.columns: must be >= 20`,
    ]);
  });

  it('names the line of a syntax error', () => {
    expect(problem('[log]\nlevel = \n')).toMatch(/config\.toml:2: /);
  });

  it('does not take the inside of a multi-line text for keys', () => {
    expect(problem('[terminal]\nshell = """\nlevel = 1\n"""\nscrollback_lines = -1')).toContain(':5: ');
  });

  it('turns the peer mode on by the environment, and caps panes unless the file says otherwise', () => {
    const env = { SWITCHYARD_COMPAT: 'programa' };
    expect(parseSettings('', FILE, env)).toMatchObject({ compat: { programa: true }, layout: { pane_cap: 4 } });
    expect(parseSettings('[layout]\npane_cap = 9', FILE, env).layout.pane_cap).toBe(9);
  });
});
