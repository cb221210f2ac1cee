import { existsSync } from 'node:fs';
import { yardPaths } from '@switchyard/config';
import { parseSettings } from '@switchyard/config/load';
import { describe, expect, it } from 'vitest';
import { planProcesses } from '../domain/process-plan.js';
import { yardPrograms } from './programs.js';

const paths = yardPaths({ HOME: '/home/me', XDG_RUNTIME_DIR: '/run/user/1000' }, 1000);
const settings = parseSettings('', 'config.toml');
const address = { url: 'nats://127.0.0.1:4222', token: 'secret', space: 'test' };

describe('the programs of a yard', () => {
  const env = { PATH: '/bin', SWITCHYARD_SURFACE_ID: 'OUTER', SWITCHYARD_SOCKET: '/outer.sock', PROGRAMA_TAB_ID: 'T' };
  const programFor = yardPrograms({ paths, settings, env, address });

  it('are the main modules of the other packages', () => {
    for (const spec of planProcesses(settings.services, 'embedded')) {
      const main = programFor(spec).args.at(-1) ?? '';
      expect(main, spec.name).toMatch(/\/dist\/(keeper\/)?main\.js$/);
      expect(existsSync(main.replace('/dist/', '/src/').replace(/\.js$/, '.ts')), main).toBe(true);
    }
  });

  it('learn what they are from their environment, which never says in which terminal `up` was typed', () => {
    const [spec] = planProcesses(settings.services, 'embedded').filter(({ name }) => name === 'gateway');
    if (spec === undefined) throw new Error('no gateway in the plan');
    const given = programFor(spec).env;
    expect(Object.keys(given).sort()).toEqual(['PATH', 'SWITCHYARD_SERVICE']);
    expect(JSON.parse(given['SWITCHYARD_SERVICE'] ?? '')).toMatchObject({ ...spec, paths, settings });
  });

  it('never show the token of the bus in their arguments', () => {
    for (const spec of planProcesses(settings.services, 'embedded')) {
      expect(programFor(spec).args.join(' ')).not.toContain(address.token);
    }
  });
});
