import { contract } from '@switchyard/protocol';
import { describe, expect, it } from 'vitest';
import { type FleetHost, hostPermissions } from './host-permissions.js';

const SPACE = 'yard1';
const plain: FleetHost = { name: 'm1', ptyHosts: 2, detectors: false };
const seeing: FleetHost = { name: 'm2', ptyHosts: 1, detectors: true };

/** Whether one of the subjects, which may have wildcards, covers another, which has none. */
const covers = (subjects: readonly string[], subject: string) =>
  subjects.some((each) => {
    const wanted = (each.split(' ')[0] ?? '').split('.');
    const given = subject.split('.');
    if (wanted.at(-1) !== '>' && wanted.length !== given.length) return false;
    return wanted.every((token, i) => token === '>' || (token === '*' ? given[i] !== undefined : token === given[i]));
  });

describe('what a machine of the fleet may say and hear', () => {
  const { publish, subscribe } = hostPermissions(SPACE, plain, [plain, seeing]);

  it('is exactly this, besides the methods, for one that only runs terminals', () => {
    const answers = ['r', 'b', 'p', 'a'];
    const own = answers.map((kind) => `sy.${kind}.yard1.m1.>`);
    const besides = publish.filter((subject) => !/^sy\.[mc]\./.test(subject));
    expect(besides.filter((subject) => !subject.startsWith('sy.e.yard1.m1.'))).toEqual([
      ...own,
      ...[...answers, 's'].map((kind) => `sy.${kind}.yard1.local.>`),
      'sy.p.yard1.m2.>',
      'sy.a.yard1.m2.>',
    ]);
    expect(besides.some((subject) => /^sy\.e\..*[*>]/.test(subject))).toBe(false);
    expect(subscribe).toEqual([
      'sy.m.yard1.pty-host.m1-0.> sy',
      'sy.c.yard1.pty-host.m1-0.*',
      'sy.m.yard1.pty-host.m1-1.> sy',
      'sy.c.yard1.pty-host.m1-1.*',
      ...own,
      'sy.e.yard1.m1.>',
      'sy.e.yard1.local.service.ready',
      'sy.e.yard1.local.service.stopped',
      '$SRV.>',
    ]);
  });

  it.each(Object.entries(contract))('lets it call %s only if the contract opens it to hosts', (name, spec) => {
    for (const host of [plain, seeing]) {
      const may = spec.fromHosts === true || (spec.fromHosts === 'detectors' && host.detectors);
      const { publish: said } = hostPermissions(SPACE, host, [plain, seeing]);
      expect(covers(said, `sy.m.${SPACE}.${spec.owner}._.${host.name}.${name}`)).toBe(may);
      for (const other of ['local', 'm3'])
        expect(covers(said, `sy.m.${SPACE}.${spec.owner}._.${other}.${name}`)).toBe(false);
      for (const address of ['m3-0', 'local-0']) {
        expect(covers(said, `sy.m.${SPACE}.${spec.owner}.${address}.${host.name}.${name}`)).toBe(false);
      }
    }
  });

  it('keeps another yard on the same broker out of its reach', () => {
    for (const subject of [...publish, ...subscribe]) expect(subject.split('.')[2] ?? 'yard1').toBe(SPACE);
  });

  it('gives it nothing of other machines, but for large questions to those with detectors', () => {
    for (const kind of ['r', 'b', 'p', 'a']) {
      expect(covers(publish, `sy.${kind}.${SPACE}.m3.inst.1`)).toBe(false);
      expect(covers(subscribe, `sy.${kind}.${SPACE}.m3.inst.1`)).toBe(false);
      expect(covers(subscribe, `sy.${kind}.${SPACE}.local.inst.1`)).toBe(false);
      expect([kind, covers(publish, `sy.${kind}.${SPACE}.m2.inst.1`)]).toEqual([kind, kind === 'p' || kind === 'a']);
    }
  });

  it('has a detector answer whoever asks, in its turn only', () => {
    const permissions = hostPermissions(SPACE, seeing, [plain, seeing]);
    expect(covers(permissions.publish, `sy.r.${SPACE}.m1.inst.1`)).toBe(true);
    expect(permissions.subscribe).toContain(`sy.m.${SPACE}.detector._.> sy`);
    expect(subscribe.some((subject) => subject.includes('detector'))).toBe(false);
  });

  it('refuses a name that would change the meaning of a subject', () => {
    for (const name of ['*', 'a.b', '>', 'a b', ''])
      expect(() => hostPermissions(SPACE, { ...plain, name }, [])).toThrow();
  });
});
