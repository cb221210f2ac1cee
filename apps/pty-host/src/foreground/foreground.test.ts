import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Foreground } from './foreground.js';
import { parseStat, procSource } from './proc-source.js';
import type { ProcessFacts, ProcessSource } from './process-source.js';
import { parsePsLine } from './ps-source.js';

interface Fake extends Partial<ProcessFacts> {
  readonly pid: number;
  readonly argv: string[];
  readonly hint?: string;
}

/** Processes by what matters; a shell with pid 1 owns the terminal. */
function system(foreground: number, ...fakes: Fake[]): ProcessSource & { looks: number } {
  const rest = { parent: 1, group: foreground, foreground, start: 10 };
  const shell: Fake = { pid: 1, parent: 0, group: 1, argv: ['-bash'], comm: 'bash' };
  const all = [shell, ...fakes].map((fake) => ({ ...rest, comm: fake.argv[0] ?? '', ...fake }));
  const find = (pid: number) => all.find((process) => process.pid === pid);
  return {
    looks: 0,
    find,
    argv(pid) {
      this.looks++;
      return find(pid)?.argv ?? [];
    },
    variable: (pid) => find(pid)?.hint ?? null,
    children: (pid) => all.filter(({ parent }) => parent === pid),
    group: (group) => all.filter((process) => process.group === group),
  };
}
const present = (source: () => ProcessSource): ProcessSource => ({
  find: (pid) => source().find(pid),
  argv: (pid) => source().argv(pid),
  variable: (pid, name) => source().variable(pid, name),
  children: (pid) => source().children(pid),
  group: (group) => source().group(group),
});
const namesIn = (source: ProcessSource) => new Foreground(source, () => 0).of('S', 1)?.names;

describe('the program in the foreground', () => {
  it('is the leader of the group, or the shell itself', () => {
    const source = system(
      2,
      { pid: 2, argv: ['/usr/bin/claude', '--resume'], hint: 'mine' },
      { pid: 3, argv: ['git'] },
    );
    expect(new Foreground(source, () => 0).of('S', 1)).toEqual({
      pid: 2,
      pgid: 2,
      start_time: 10,
      names: ['claude'],
      argv: ['/usr/bin/claude', '--resume'],
      hint: 'mine',
    });
    expect(namesIn(system(1))).toEqual(['bash']);
  });

  it('is found in shells with a command line and behind package runners', () => {
    const node = { pid: 3, parent: 2, argv: ['node', '/opt/codex/bin/codex.js'], comm: 'MainThread' };
    for (const argv of [
      ['sh', '-c', 'node codex; true'],
      ['npm exec @openai/codex', ''],
    ]) {
      const found = new Foreground(system(2, { pid: 2, argv, comm: argv[0] ?? '' }, node), () => 0).of('S', 1);
      expect(found).toMatchObject({ pid: 3, pgid: 2 });
      expect(found?.names[0]).toBe('codex');
    }
    const wrapped = { pid: 3, parent: 2, argv: ['sh', '-c', 'claude'] };
    expect(
      namesIn(system(2, { pid: 2, argv: ['npx', 'x'] }, wrapped, { pid: 4, parent: 3, argv: ['claude'] })),
    ).toContain('claude');
  });

  it('is a script as long as it runs, with the name of what it runs at present', () => {
    const script = { pid: 2, argv: ['bash', './work.sh'] };
    const child = (...argv: string[]) => ({ pid: 3, parent: 2, argv });
    const seen = [[], [child('sleep', '1')], [child('claude')]].map(
      (children) => new Foreground(system(2, script, ...children), () => 0).of('S', 1) ?? expect.fail('nobody'),
    );
    expect(seen.map(({ names }) => names)).toEqual([['work'], ['sleep', 'work'], ['claude', 'work']]);
    for (const { pid, argv } of seen) expect([pid, argv]).toEqual([2, ['bash', './work.sh']]);
  });

  it('is the oldest of a pipeline whose first program has ended', () => {
    const source = system(2, { pid: 4, argv: ['less'], start: 12 }, { pid: 3, argv: ['sort'], start: 11 });
    expect(namesIn(source)).toEqual(['sort']);
  });

  it('is nobody when the terminal has no group in the foreground, or its program has ended', () => {
    expect(new Foreground(system(-1), () => 0).of('S', 1)).toBeNull();
    expect(new Foreground(system(2), () => 0).of('S', 99)).toBeNull();
  });

  it('is looked at anew when the group is another, or after a second', () => {
    let now = 0;
    const source = system(2, { pid: 2, argv: ['vim'] });
    const foreground = new Foreground(source, () => now);
    for (now = 0; now < 1000; now += 100) foreground.of('S', 1);
    expect(source.looks).toBe(1);
    foreground.of('S', 1);
    expect(source.looks).toBe(2);
    foreground.forget('S');
    foreground.of('S', 1);
    expect(source.looks).toBe(3);
  });

  it('is looked at anew at once when it has ended, or another program runs in its place', () => {
    const script = { pid: 2, argv: ['sh', '-c', 'codex; true'] };
    const codex = { pid: 3, parent: 2, argv: ['codex'] };
    const sources = [
      system(2, script, codex),
      system(2, script, { ...codex, argv: ['vim'] }),
      system(2, script, { ...codex, start: 11, argv: ['codex', 'again'] }),
      system(2, script),
    ];
    let source = system(2);
    const foreground = new Foreground(
      present(() => source),
      () => 0,
    );
    const seen = sources.map((next) => {
      source = next;
      return foreground.of('S', 1)?.argv.join(' ');
    });
    expect(seen).toEqual(['codex', 'vim', 'codex again', 'sh -c codex; true']);
  });

  it('is told with an argument list of bounded size', () => {
    const found = new Foreground(system(2, { pid: 2, argv: ['a', ...Array(500).fill('x'.repeat(5000))] }), () => 0);
    expect(JSON.stringify(found.of('S', 1)).length).toBeLessThan(20_000);
  });
});

describe('what the system tells', () => {
  it('is read from /proc, with any name a program may have', () => {
    const stat = '42 (a) b (c)) S 7 42 1 34816 99 4194304 1 2 3 4 5 6 7 8 20 0 1 0 12345 1000';
    const facts = { pid: 42, parent: 7, group: 42, session: 1, foreground: 99, start: 12345, comm: 'a) b (c)' };
    expect(parseStat(stat)).toEqual(facts);
    expect(parseStat(stat.replace(') S', ') Z'))).toBeUndefined();
    expect(parseStat('42 (half) S 7')).toBeUndefined();
  });

  it('is read from ps', () => {
    const line = '  412   401   412   412 S+   Mon Nov 30 17:20:01 2026     /usr/local/bin/node /opt/claude --x';
    expect(parsePsLine(line)).toMatchObject({
      pid: 412,
      parent: 401,
      group: 412,
      foreground: 412,
      comm: 'node',
      argv: ['/usr/local/bin/node', '/opt/claude', '--x'],
    });
    expect(parsePsLine(line.replace('S+', 'Z+'))).toBeUndefined();
    expect(parsePsLine('nonsense')).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('is true of a real process', async () => {
    const child = spawn('sleep', ['60'], { env: { SWITCHYARD_AGENT: 'tester', OTHER: 'x' } });
    await once(child, 'spawn');
    const pid = child.pid ?? expect.fail('no pid');
    expect(procSource.find(pid)).toMatchObject({ pid, parent: process.pid, comm: 'sleep' });
    expect(procSource.argv(pid)).toEqual(['sleep', '60']);
    expect(procSource.variable(pid, 'SWITCHYARD_AGENT')).toBe('tester');
    expect(procSource.variable(pid, 'HITCHYARD')).toBeNull();
    expect(procSource.children(process.pid).map((facts) => facts.pid)).toContain(pid);
    child.kill();
    await once(child, 'exit');
    expect([procSource.find(pid), procSource.argv(pid)]).toEqual([undefined, []]);
  });
});
