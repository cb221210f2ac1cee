import { readdirSync, readFileSync } from 'node:fs';
import { descriptorsOf, isAlive, processesMentioning, processFacts, waitFor } from '@switchyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupRoot } from '../src/keeper/control-groups.js';
import { ENV, type KeeperKit, ptyDescriptors, startKeeper } from './keeper-kit.js';

let kit: KeeperKit;
beforeAll(async () => {
  kit = await startKeeper();
});
afterAll(() => kit.stop());

const close = (surface_id: string, kill_survivors = false) => kit.client.call('close', { surface_id, kill_survivors });
const marked = (surfaceId: string) => ({ ...ENV, SWITCHYARD_SURFACE_ID: surfaceId });
const groupOf = (surfaceId: string) => readFileSync(`/proc/${alive(surfaceId)[0]?.pid}/cgroup`, 'latin1');
const alive = (surfaceId: string) => processesMentioning(`SWITCHYARD_SURFACE_ID=${surfaceId}\0`);

describe('starting', () => {
  it('A14: a missing program is an error before there is a terminal', async () => {
    await expect(kit.spawn('A14', ['/no/such/bin'])).rejects.toMatchObject({ code: 'command_not_found' });
    await expect(kit.spawn('A14', ['no-such-name'])).rejects.toMatchObject({ code: 'command_not_found' });
    await expect(kit.spawn('A14', ['/etc/passwd'])).rejects.toMatchObject({ code: 'command_not_found' });
    expect(readdirSync(kit.config.logRoot)).not.toContain('A14');
  });

  it('A14: a missing working directory is an error before there is a terminal', async () => {
    const missing = kit.spawn('A14', ['/bin/true'], { cwd: '/no/such/folder' });
    await expect(missing).rejects.toMatchObject({ code: 'directory_not_found', data: { cwd: '/no/such/folder' } });
    await expect(kit.spawn('A14', ['/bin/true'], { cwd: '/etc/passwd' })).rejects.toMatchObject({
      code: 'directory_not_found',
    });
  });

  it('gives the program exactly its arguments, environment and folder', async () => {
    await kit.sh('exact', 'printf "<%s>" "$0"; pwd; env', { cwd: '/usr', env: { PATH: ENV.PATH, ONE: 'a=b c' } });
    await kit.exit('exact');
    const lines = kit.output('exact').toString().split('\r\n');
    expect(lines).toContain('ONE=a=b c');
    expect(lines[0]).toBe('</bin/sh>/usr');
    expect(lines.filter((line) => /^(SWITCHYARD|NODE|VITEST)/.test(line))).toEqual([]);
  });

  it('starts a surface once, whoever asks again', async () => {
    const [first, second] = await Promise.all([kit.sh('twice', 'sleep 60'), kit.sh('twice', 'sleep 60')]);
    expect(second).toMatchObject({ pid: first.pid, existed: true });
    await close('twice');
  });

  it('hands no descriptor of other terminals to a program, whatever numbers are free', async () => {
    const ids = Array.from({ length: 24 }, (_, i) => `fd-${i}`);
    for (const id of ids) await kit.sh(id, 'sleep 60');
    // Every other one ends: the numbers of their descriptors are holes now.
    for (const id of ids.filter((_, i) => i % 2 === 0)) await close(id);
    const { pid } = await kit.spawn('fd-last', ['/bin/sleep', '60']);
    await waitFor('the program runs', () => descriptorsOf(pid).length > 0 && isAlive(pid));
    await waitFor('exec has closed what it must', () => ptyDescriptors(descriptorsOf(pid)) === 3);
    expect(descriptorsOf(pid).filter((path) => path.includes('ptmx'))).toEqual([]);
    for (const id of [...ids.filter((_, i) => i % 2 === 1), 'fd-last']) await close(id);
  });
});

describe('closing', () => {
  it('A11: a foreground program that ignores HUP is gone, with its shell, when the close answers', async () => {
    const env = marked('A11');
    await kit.spawn('A11', ['/bin/bash', '--norc', '-i'], { env });
    await kit.type('A11', `trap '' HUP; (trap '' HUP; echo started; sleep 300)\n`);
    await kit.printed('A11', '\nstarted');
    expect(alive('A11').length).toBeGreaterThanOrEqual(2);
    const { exit, survivors } = await close('A11');
    expect(exit).toMatchObject({ reason: 'exited' });
    expect(survivors).toEqual([]);
    expect(alive('A11')).toEqual([]);
  });

  it('A11: what ignores HUP and TERM is killed', async () => {
    await kit.sh('stubborn', `trap '' HUP TERM; echo started; while :; do sleep 0.2; done`);
    await kit.printed('stubborn', 'started');
    expect((await close('stubborn')).exit).toMatchObject({ exit_code: null, signal: 'SIGKILL' });
  });

  it('A11: a stopped program is ended too', async () => {
    await kit.spawn('asleep', ['/bin/bash', '--norc', '-i'], { env: marked('asleep') });
    await kit.type('asleep', 'sleep 300 &\nkill -STOP $!\necho stopp""ed\n');
    await kit.printed('asleep', 'stopped\r\n');
    await close('asleep');
    expect(alive('asleep')).toEqual([]);
  });

  it('A10: the exit comes at once though a child left the session; it is listed, and killed only when asked', async () => {
    await kit.sh('A10', `setsid sh -c 'echo left; exec sleep 300' & read line; exit`, { env: marked('A10') });
    await kit.printed('A10', 'left');
    await kit.type('A10', '\n');
    expect(await kit.exit('A10')).toMatchObject({ exit_code: 0 });
    const { survivors } = await close('A10');
    // It prints before it becomes what it runs.
    expect(survivors).toEqual([{ pid: expect.any(Number), command: expect.stringMatching(/^(sh|sleep)$/) }]);
    const pid = survivors[0]?.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    expect((await close('A10', true)).survivors).toEqual([]);
    expect(isAlive(pid)).toBe(false);
  });

  it.skipIf(groupRoot(process.pid) === undefined)(
    'A10: what has left the session and taken the mark off is found by its control group',
    async () => {
      const leave = `read go; env -i setsid sh -c 'sleep 301 & echo left; exec sleep 302' & read line`;
      await kit.sh('group', leave, { env: marked('group') });
      await waitFor('it is in its group', () => groupOf('group').includes('/group\n'));
      await kit.type('group', '\n');
      await kit.printed('group', 'left');
      const { survivors } = await close('group');
      expect(survivors).toHaveLength(2);
      const pids = survivors.map(({ pid }) => pid);
      expect(pids.every(isAlive)).toBe(true);
      expect((await close('group', true)).survivors).toEqual([]);
      expect(pids.some(isAlive)).toBe(false);
    },
  );

  it('answers a repeated close, and one of an unknown surface', async () => {
    await kit.sh('repeat', 'sleep 60');
    const [first, second] = await Promise.all([close('repeat'), close('repeat')]);
    expect(second).toEqual(first);
    expect(await close('repeat')).toEqual(first);
    await expect(close('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('forgets an exited terminal with its log, and no running one', async () => {
    await kit.sh('forget', 'sleep 60');
    const forget = () => kit.client.call('forget', { surface_id: 'forget' });
    await expect(forget()).rejects.toMatchObject({ code: 'invalid_state' });
    await close('forget');
    expect(await forget()).toEqual({ forgotten: true });
    expect(await forget()).toEqual({ forgotten: false });
    expect(readdirSync(kit.config.logRoot)).not.toContain('forget');
  });
});

describe('many', () => {
  it('A9: 500 terminals opened and closed, half by exit, leave no descriptor', async () => {
    const before = ptyDescriptors(descriptorsOf('self'));
    for (let i = 0; i < 500; i += 20) {
      await Promise.all(
        Array.from({ length: 20 }, async (_, j) => {
          const id = `A9-${i + j}`;
          await kit.sh(id, j % 2 === 0 ? 'exit' : 'sleep 60');
          if (j % 2 === 0) await kit.exit(id);
          else await close(id);
          await kit.client.call('forget', { surface_id: id });
        }),
      );
    }
    await waitFor('descriptors are released', () => ptyDescriptors(descriptorsOf('self')) === before, {
      timeoutMs: 1000,
      seen: () => ptyDescriptors(descriptorsOf('self')),
    });
  });

  it('A12: 100 short programs leave no zombie', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => `A12-${i}`);
    await Promise.all(ids.map((id) => kit.sh(id, '(true) & (true) & wait')));
    await Promise.all(ids.map((id) => kit.exit(id)));
    expect(zombiesOf(process.pid)).toEqual([]);
  });
});

function zombiesOf(parent: number): number[] {
  return processesOf(parent).filter((pid) => !isAlive(pid));
}

function processesOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => processFacts(pid)?.parent === parent);
}
