import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

type Git = NonNullable<Result<'workspace.current'>['workspace']['git']>;

/** What is measured is that nothing happens. */
const IDLE_MS = 5000;
/** Heartbeats of the bus and the runtime; a look at a repository takes several milliseconds of this process alone. */
const IDLE_CPU_MS = 100;
/** The clock by which the kernel counts (proc(5)): a hundredth of a second on every Linux of today. */
const TICK_MS = 10;

const yard = useYard();
const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

let repo: string;
let workspace_id: string;
let surface_id: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-C', repo, ...IDENTITY, ...args], { stdio: 'pipe' }).toString();
const call = async (method: 'workspace.current', params: object) => (await yard().client()).call(method, params);
const until = (what: string, holds: (git: Git | null) => boolean) =>
  waitFor(what, async () => holds((await call('workspace.current', { workspace_id })).workspace.git), {
    seen: () => what,
  });

beforeAll(async () => {
  repo = join(yard().dir, 'repo');
  mkdirSync(repo);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  const client = await yard().client();
  ({ workspace_id, surface_id } = await client.call('workspace.create', { cwd: repo, initial_command: 'exec cat' }));
});

describe('the repository of a workspace', () => {
  it('is shown, and follows what is done in it', async () => {
    await until('on main', (known) => known?.branch === 'main' && known.dirty === false);
    git('switch', '-q', '-c', 'fix');
    await until('on fix', (known) => known?.branch === 'fix');
    writeFileSync(join(repo, 'new'), '');
    await (await yard().client()).call('surface.send_text', { surface_id, text: 'done\n' });
    await until('dirty', (known) => known?.dirty === true && known.changed_count === 1);
  });

  it.each(['git-service', 'workspace-service'])('is right again after %s was killed', async (name) => {
    const old = await yard().kill(name);
    const branch = `while-${name}-was-away`;
    git('switch', '-q', '-c', branch);
    await yard().untilRestarted(name, old);
    await until(branch, (known) => known?.branch === branch);
    git('switch', '-q', 'fix');
    await until('on fix', (known) => known?.branch === 'fix');
  });

  it.skipIf(process.platform !== 'linux')('costs an idle yard nothing', async () => {
    const pid = await yard().pidOf('git-service');
    await delay(IDLE_MS);
    const before = cpuMs(pid);
    await delay(IDLE_MS);
    expect(cpuMs(pid) - before, `milliseconds of CPU in ${IDLE_MS}`).toBeLessThan(IDLE_CPU_MS);
  });
});

describe('F6: a directory that was deleted under its programs', () => {
  it('is said of prompts and of new surfaces, and no other takes its place', async () => {
    const client = await yard().client();
    rmSync(repo, { recursive: true });
    await until('no repository', (known) => known === null);
    const refused = { code: 'directory_not_found', data: expect.objectContaining({ cwd: repo }) };
    await expect(client.call('agent.prompt', { surface_id, text: 'hello' })).rejects.toMatchObject(refused);
    await expect(client.call('surface.split', { surface_id, direction: 'right' })).rejects.toMatchObject(refused);
    await expect(client.call('surface.create', { workspace_id })).rejects.toMatchObject(refused);
    // One of the same name is another directory: who works in the old one is still nowhere.
    mkdirSync(repo);
    await expect(client.call('agent.prompt', { surface_id, text: 'hello' })).rejects.toMatchObject(refused);
    const { surface_id: fresh } = await client.call('surface.create', { workspace_id, argv: ['pwd', '-P'] });
    expect(fresh).not.toBe(surface_id);
    const forced = { surface_id, text: 'all the same', force: true, wait: false, working_grace_ms: 100 };
    expect(await client.call('agent.prompt', forced)).toMatchObject({ surface_id });
  });
});

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = '', system = ''] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}
