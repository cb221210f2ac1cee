import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogReader } from '@switchyard/store/log';
import { copyInstallation, isAlive, type TempDir, tempDir, waitFor } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KeeperClient } from '../src/keeper/keeper-client.js';
import type { KeeperEvent, KeptTerminal } from '../src/keeper/protocol.js';
import { KeeperLink } from '../src/keeper-link.js';
import { connected, ENV } from './keeper-kit.js';
import { KEEPER_MAIN, spawnKeeper } from './support/keeper-process.js';

const NEWER = '9.9.9';
const SIZE = { cols: 80, rows: 24, cwd: '/', env: ENV };
/** More than any limit of descriptors that a message could carry. */
const TERMINALS = 200;
const FLOODS = 6;
const FLOOD_LINES = 150_000;
const PATIENCE = { timeoutMs: 60_000 };

let installation: TempDir;
let dir: TempDir;
let keeper: RunningKeeper;
beforeAll(() => {
  installation = tempDir('sy-newer');
  copyInstallation(join(installation.path, 'good'), NEWER);
});
afterAll(() => installation.remove());
beforeEach(async () => {
  dir = tempDir('sy-handoff');
  keeper = await startKeeperProcess(dir.path);
});
afterEach(() => {
  keeper.client.close();
  keeper.child.kill('SIGKILL');
  dir.remove();
});

const mainIn = (root: string) => join(installation.path, root, 'apps/pty-host/dist/keeper/main.js');

/** Answers each line with its number, so that a line lost or typed twice shows; `exit N` ends it. */
const ECHO =
  'stty -echo; i=0; echo ready; while read -r w n; do i=$((i+1)); [ $w = exit ] && exit $n; echo $i $w $n; done';

describe('a handoff to the keeper of another installation', () => {
  it('keeps every process and byte of two hundred terminals, with input in flight, and reports their exits', async () => {
    const { client, link } = keeper;
    const ids = Array.from({ length: TERMINALS }, (_, i) => `echo-${i}`);
    const pids = new Map<string, number>();
    for (const surface_id of ids) {
      const { pid } = await client.call('spawn', { surface_id, argv: ['/bin/sh', '-c', ECHO], ...SIZE });
      pids.set(surface_id, pid);
    }
    await waitFor('all are ready', () => ids.every((id) => keeper.output(id).includes('ready')), PATIENCE);
    const floods = Array.from({ length: FLOODS }, (_, i) => `flood-${i}`);
    for (const surface_id of floods) {
      await client.call('spawn', { surface_id, argv: ['/bin/sh', '-c', `seq 1 ${FLOOD_LINES}; exit 7`], ...SIZE });
    }
    const type = (surface_id: string, n: number) =>
      link.call('input', { surface_id, data: Buffer.from(`key ${n}\n`).toString('base64') });
    const typed = ids.map((id) => type(id, 1));
    const handing = keeper.handOver(mainIn('good'));
    for (let n = 2; n <= 4; n++) typed.push(...ids.map((id) => type(id, n)));
    const told = await handing;
    expect(told).toMatchObject({ software: NEWER, handoff: { outcome: 'adopted' }, pid: keeper.child.pid });
    await Promise.all(typed);
    await Promise.all(ids.map((id) => type(id, 5)));
    const wanted = ['ready', ...[1, 2, 3, 4, 5].map((n) => `${n} key ${n}`), ''].join('\r\n');
    await waitFor('all is answered', () => ids.every((id) => keeper.output(id).endsWith('5 key 5\r\n')), PATIENCE);
    expect(ids.filter((id) => keeper.output(id) !== wanted)).toEqual([]);
    const after = await terminals(client);
    expect(ids.filter((id) => after.get(id)?.pid !== pids.get(id) || after.get(id)?.exit !== null)).toEqual([]);

    await Promise.all(
      ids.map((surface_id, i) =>
        link.call('input', { surface_id, data: Buffer.from(`exit ${i % 100}\n`).toString('base64') }),
      ),
    );
    await waitFor('all exits are told', () => [...ids, ...floods].every((id) => keeper.exits.has(id)), PATIENCE);
    expect(ids.map((id) => keeper.exits.get(id)?.exit_code)).toEqual(ids.map((_, i) => i % 100));
    expect(floods.map((id) => keeper.exits.get(id)?.exit_code)).toEqual(floods.map(() => 7));
    const numbers = Array.from({ length: FLOOD_LINES }, (_, i) => `${i + 1}\r\n`).join('');
    expect(floods.filter((id) => keeper.output(id) !== numbers)).toEqual([]);
  }, 120_000);

  it('takes along what a program has not read, its size, and the inputs that must not be typed twice', async () => {
    const { client } = keeper;
    const script = 'stty raw -echo; echo ready; read -r go < go; head -c 200000 | wc -c; stty size; sleep 60';
    const argv = ['/bin/sh', '-c', `mkfifo go; ${script}`];
    await client.call('spawn', { surface_id: 'slow', argv, ...SIZE, cwd: dir.path, cols: 101, rows: 33 });
    await waitFor('it is ready', () => keeper.output('slow').includes('ready'));
    const input = { surface_id: 'slow', data: Buffer.alloc(200_000, 'x').toString('base64'), input_id: 'once' };
    expect((await client.call('input', input)).queued).toBeGreaterThan(100_000);
    await keeper.handOver(mainIn('good'));
    expect(await client.call('input', input)).toMatchObject({ bytes: 200_000 });
    writeFileSync(join(dir.path, 'go'), 'go\n');
    await waitFor('it has read', () => /200000[\s\S]*33 101/.test(keeper.output('slow')), {
      ...PATIENCE,
      seen: () => keeper.output('slow').slice(-200),
    });
    expect((await terminals(client)).get('slow')).toMatchObject({ cols: 101, rows: 33, input: { queued: 0 } });
  });

  it('can be repeated, back to the first installation too', async () => {
    const { client } = keeper;
    const { pid } = await client.call('spawn', { surface_id: 'A', argv: ['/bin/sh', '-c', ECHO], ...SIZE });
    await waitFor('it is ready', () => keeper.output('A').includes('ready'));
    for (const [main, software] of [
      [mainIn('good'), NEWER],
      [KEEPER_MAIN, keeper.software],
      [mainIn('good'), NEWER],
    ] as const) {
      expect(await keeper.handOver(main)).toMatchObject({ software, handoff: { outcome: 'adopted', reason: null } });
    }
    expect(isAlive(pid)).toBe(true);
    expect(await client.call('close', { surface_id: 'A' })).toMatchObject({ exit: { signal: 'SIGHUP' } });
  });
});

describe('a keeper that cannot take over', () => {
  const broken: [string, string, string, RegExp][] = [
    [
      'ends in its check',
      'apps/pty-host/dist/keeper/handoff/check.js',
      'export const CHECK = "--check";\nexport const checkSuccessor = 0;\nexport function answerCheck() { throw new Error("broken check"); }',
      /broken check/,
    ],
    ['cannot be loaded', 'apps/pty-host/dist/keeper/main.js', 'import "./no-such-file.js";', /no-such-file/],
  ];
  it.each(broken)('that %s is refused and nothing has changed', async (_, file, code, reason) => {
    const root = breakCopy(file, code);
    const { client } = keeper;
    const { pid } = await client.call('spawn', { surface_id: 'A', argv: ['/bin/cat'], ...SIZE });
    const refused = client.call('handoff', { node: process.execPath, main: mainIn(root) });
    await expect(refused).rejects.toMatchObject({
      code: 'version_mismatch',
      data: { said: expect.stringMatching(reason) },
    });
    expect(client.connected).toBe(true);
    expect((await terminals(client)).get('A')).toMatchObject({ pid, exit: null });
  });

  it.each([
    ['throws', 'export async function adoptAll() { throw new Error("broken adoption"); }', /broken adoption|code 70/],
    ['ends its process', 'export async function adoptAll() { process.exit(3); }', /code 3/],
    ['fails while it is loaded', 'import "./absent.js";\nexport async function adoptAll() {}', /absent/],
  ])('that %s while it adopts leaves the old one in charge', async (how, code, reason) => {
    const root = how.startsWith('fails')
      ? breakCopy('apps/pty-host/dist/keeper/run-keeper.js', LOADS_ONLY_FOR_A_CHECK)
      : breakCopy('apps/pty-host/dist/keeper/handoff/adopting.js', code);
    const { client } = keeper;
    const { pid } = await client.call('spawn', { surface_id: 'A', argv: ['/bin/sh', '-c', ECHO], ...SIZE });
    await waitFor('it is ready', () => keeper.output('A').includes('ready'));
    const told = await keeper.handOver(mainIn(root));
    expect(told).toMatchObject({
      software: keeper.software,
      handoff: { outcome: 'returned', reason: expect.stringMatching(how.startsWith('fails') ? /absent/ : reason) },
    });
    await client.call('input', { surface_id: 'A', data: Buffer.from('key 1\nexit 5\n').toString('base64') });
    await waitFor('the exit is told', () => keeper.exits.has('A'));
    expect(keeper.output('A')).toBe('ready\r\n1 key 1\r\n');
    expect(keeper.exits.get('A')).toMatchObject({ exit_code: 5 });
    expect(pid).toBeGreaterThan(0);
  });
});

const LOADS_ONLY_FOR_A_CHECK = `if (!process.argv.includes('--check')) await import('./absent.js');
export async function runKeeper() {}`;

let copies = 0;
/** @returns the name of a further installation in which one file is another */
function breakCopy(file: string, code: string): string {
  const name = `broken-${++copies}`;
  copyInstallation(join(installation.path, name), '6.6.6');
  writeFileSync(join(installation.path, name, file), code);
  return name;
}

interface RunningKeeper {
  readonly child: ChildProcess;
  readonly client: KeeperClient;
  readonly link: KeeperLink;
  readonly software: string | undefined;
  readonly exits: Map<string, Extract<KeeperEvent, { ev: 'exit' }>['exit']>;
  /** @returns what the keeper says of itself afterwards */
  handOver(main: string): Promise<{ readonly software?: string; readonly handoff?: unknown; readonly pid: number }>;
  output(surfaceId: string): string;
}

async function startKeeperProcess(root: string): Promise<RunningKeeper> {
  const { child, paths } = spawnKeeper(root);
  const exits: RunningKeeper['exits'] = new Map();
  const note = (terminal: KeptTerminal) => {
    if (terminal.exit !== null) exits.set(terminal.surface_id, terminal.exit);
  };
  const client = new KeeperClient({
    socket: paths.keeperSocket,
    follower: 'test',
    onEvent: (event) => {
      if (event.ev === 'exit') exits.set(event.surface_id, event.exit);
    },
  });
  const link = new KeeperLink(client);
  client.onConnect(async () => {
    for (const terminal of (await client.call('follow', { shard: 0, shards: 1 })).terminals) note(terminal);
  });
  await connected(client);
  const about = () => link.call('hello', { version: 2, follower: 'test' });
  return {
    child,
    client,
    link,
    exits,
    software: (await about()).software,
    handOver: async (main) => {
      const handed = client.call('handoff', { node: process.execPath, main }, PATIENCE);
      await expect(handed).rejects.toMatchObject({ code: 'connection_closed' });
      return about();
    },
    output: (surfaceId) => {
      const reader = new LogReader(`${paths.stateDir}/terminals`, surfaceId);
      try {
        return reader.read(0, Number.MAX_SAFE_INTEGER).data.toString();
      } finally {
        reader.close();
      }
    },
  };
}

async function terminals(client: KeeperClient): Promise<Map<string, KeptTerminal>> {
  const { terminals: all } = await client.call('list', {});
  return new Map(all.map((terminal) => [terminal.surface_id, terminal]));
}
