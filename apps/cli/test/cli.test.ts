import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { PUBLIC_METHODS } from '@switchyard/protocol';
import { runCli, type TempDir, tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/command-table.js';
import { repairedHelper } from '../src/doctor/installation.js';

const LIMIT_MS = 20_000;
/** Far more than 300 ms and the start of a process take, far less than any default. */
const CALM_MS = 8_000;

let dir: TempDir;
let server: Server | undefined;
let env: Record<string, string>;

beforeEach(() => {
  dir = tempDir();
  env = { PATH: process.env['PATH'] ?? '', HOME: dir.path, SWITCHYARD_RUNTIME_DIR: dir.path, SWITCHYARD_YARD: 'y' };
});

afterEach(() => {
  server?.close();
  server = undefined;
  dir.remove();
});

const sy = (...args: string[]) => runCli(args, { env, timeoutMs: LIMIT_MS });

/** A yard whose two sockets are served by `answer`. */
async function serve(answer: (socket: Socket) => void): Promise<void> {
  const socket = `${dir.path}/s.sock`;
  env['SWITCHYARD_SOCKET'] = socket;
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(socket, resolve));
}

/** Answers every request in the same way. */
function always(reply: object): (socket: Socket) => void {
  return (socket) => {
    socket.on('data', (data) => {
      const { id } = JSON.parse(data.toString('utf8')) as { id: number };
      socket.write(`${JSON.stringify({ id, ...reply })}\n`);
    });
  };
}

/** Commands that ask the yard something, with arguments that make sense. */
const ASKING: readonly (readonly string[])[] = [
  ['down'],
  ['status'],
  ['restart', 'gateway'],
  ['tree'],
  ['new'],
  ['split'],
  ['send', 'surface:1', 'x'],
  ['key', 'surface:1', 'enter'],
  ['read', 'surface:1'],
  ['wait', 'surface:1', '--exit'],
  ['run', 'true'],
  ['close', 'surface:1'],
  ['call', 'system.ping'],
];

describe('C7: a socket that accepts and never answers', () => {
  it.each(ASKING.map((args) => [args.join(' '), args] as const))(
    '%s gives up in the stated time and says why',
    async (_, args) => {
      await serve(() => undefined);
      const started = performance.now();
      const { code, stderr } = await sy('--timeout', '300ms', ...args);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/No answer from .* within \d+ ms/);
      expect(performance.now() - started).toBeLessThan(CALM_MS);
    },
  );

  it('has a time for every command even when none is given', async () => {
    await serve(() => undefined);
    expect((await sy('read')).code).toBe(4);
  });
});

describe('exit codes', () => {
  it('3: nobody listens', async () => {
    const { code, stderr } = await sy('tree');
    expect(code).toBe(3);
    expect(stderr).toContain('switchyard up');
  });

  it.each([
    ['not_found', 1],
    ['timeout', 4],
    ['outcome_unknown', 5],
    ['service_unavailable', 5],
  ])('%s exits with %i, the error on standard error', async (errorCode, exitCode) => {
    await serve(
      always({ ok: false, error: { code: errorCode, message: 'The \x1b[31mreason\x1b[0m.', data: { a: 1 } } }),
    );
    const plain = await sy('read');
    expect(plain).toMatchObject({ code: exitCode, stdout: '' });
    expect(plain.stderr).toBe(`switchyard: The reason. (${errorCode})\n`);
    const json = JSON.parse((await sy('--json', 'read')).stderr);
    expect(json).toEqual({ error: { code: errorCode, message: 'The \x1b[31mreason\x1b[0m.', data: { a: 1 } } });
  });

  it.each([
    [['nonsense']],
    [['read', '--colour']],
    [['wait', 'surface:1']],
    [['read', '--timeout', 'soon']],
    [['split', '--direction', 'inwards']],
    [['read', '--lines', '-1']],
    [['new', '--env', 'novalue']],
    [['attach', '--detach-key', 'q']],
    [['completion', 'tcsh']],
    [['methods', 'surface.lst']],
  ])('2: %j makes no sense', async (args) => {
    const { code, stderr } = await sy(...args);
    expect(code).toBe(2);
    expect(stderr).not.toContain('    at ');
  });

  it('0: help and version', async () => {
    expect(await sy('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    const help = await sy('--help');
    expect(help.code).toBe(0);
    for (const { name } of COMMANDS) expect(help.stdout).toContain(name);
    expect(help.stdout).toContain('Exit codes');
  });
});

describe('E3: a yard of another version', () => {
  it('is shown, with a remark', async () => {
    const yard = { name: 'y', socket_path: '/s', runtime_dir: '/r', state_dir: '/t', bus: 'embedded' };
    const supervisor = { pid: 1, uptime_ms: 1000, rss_bytes: 1, version: '99.0.0' };
    const process = { name: 'gateway', pid: null, state: 'failed', uptime_ms: 0, restarts: 6, rss_bytes: null };
    await serve(always({ ok: true, result: { yard, supervisor, processes: [process] } }));
    const { code, stdout, stderr } = await sy('status');
    expect(code).toBe(0);
    expect(stdout).toMatch(/gateway +failed +- +- +6 +-/);
    expect(stderr).toContain('version 99.0.0');
  });
});

describe('the terminal a command was typed in', () => {
  const asked: { method: string; params: Record<string, unknown> }[] = [];

  beforeEach(async () => {
    asked.length = 0;
    await serve((socket) => {
      socket.on('data', (data) => {
        const request = JSON.parse(data.toString('utf8'));
        asked.push(request);
        socket.write(
          `${JSON.stringify({ id: request.id, ok: true, result: { surface_ref: 'surface:9', text: '' } })}\n`,
        );
      });
    });
    env['SWITCHYARD_SURFACE_ID'] = 'CALLER';
  });

  it('is where new, split and read act when no place is named', async () => {
    for (const command of ['new', 'split', 'read']) await sy(command);
    expect(asked.map(({ params }) => params['surface_id'])).toEqual(['CALLER', 'CALLER', 'CALLER']);
  });

  it('means nothing in another yard, and yields to a place that is named', async () => {
    await sy('new', '--workspace', 'workspace:2');
    expect(asked[0]?.params).toMatchObject({ workspace_id: 'workspace:2' });
    expect(asked[0]?.params).not.toHaveProperty('surface_id');
    const socket = env['SWITCHYARD_SOCKET'] ?? '';
    env['SWITCHYARD_SOCKET'] = '/elsewhere.sock';
    await sy('--socket', socket, 'new');
    expect(asked[1]?.params).not.toHaveProperty('surface_id');
  });
});

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('of %s knows every command and every method', async (shell) => {
    const { stdout, code } = await sy('completion', shell);
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(stdout).toContain(name);
    for (const method of PUBLIC_METHODS) expect(stdout).toContain(method);
  });

  it('works in bash', async () => {
    const { stdout } = await sy('completion', 'bash');
    const script = `${dir.path}/completion.bash`;
    writeFileSync(script, stdout);
    const complete = (line: string) => {
      const words = line.split(' ');
      const body = `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _switchyard; echo "\${COMPREPLY[*]}"`;
      return execFileSync('bash', ['-c', body], { encoding: 'utf8' }).trim();
    };
    expect(complete('sy tr')).toBe('tree');
    expect(complete('sy call surface.read_t')).toBe('surface.read_text');
    expect(complete('sy restart work')).toBe('workspace-service');
    expect(complete('sy split --dir')).toBe('--direction');
    expect(complete('sy --yard other sp')).toBe('split');
  });
});

describe('doctor', () => {
  it('A13: gives the helper of node-pty its execute bit back', () => {
    const helper = `${dir.path}/spawn-helper`;
    writeFileSync(helper, '#!/bin/sh\n', { mode: 0o644 });
    expect(repairedHelper('helper', helper)).toMatchObject({
      level: 'ok',
      detail: expect.stringContaining('repaired'),
    });
    expect(statSync(helper).mode & 0o111).toBe(0o111);
    expect(repairedHelper('helper', helper)).toMatchObject({ level: 'ok', detail: 'is executable' });
    expect(repairedHelper('helper', `${dir.path}/none`)).toMatchObject({ level: 'fault', remedy: expect.any(String) });
  });

  it('finds a wrong setting, a folder that others can read and a socket nobody listens at', async () => {
    const runtime = `${dir.path}/y`;
    mkdirSync(runtime);
    chmodSync(runtime, 0o755);
    env['SWITCHYARD_CONFIG_DIR'] = dir.path;
    writeFileSync(`${dir.path}/config.toml`, '[gateway]\nmax_connections = 0\n');
    writeFileSync(`${runtime}/gateway.sock`, '');
    const { code, stdout } = await sy('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { what: string; level: string; detail: string }[] };
    const of = (what: string) => findings.find((finding) => finding.what === what);
    expect(of('settings')).toMatchObject({
      level: 'fault',
      detail: expect.stringContaining('config.toml:2: gateway.max_connections'),
    });
    expect(of('runtime folder')).toMatchObject({ level: 'fault', detail: expect.stringContaining('chmod 700') });
    expect(of('stale sockets')).toMatchObject({ level: 'hint', remedy: expect.stringContaining('next start') });
    expect(of('node')).toMatchObject({ level: 'ok' });
    expect(code).toBe(1);
  });

  it('explains an old lock, a log that has outgrown its bound, and says what to do', async () => {
    const state = `${dir.path}/state/y`;
    mkdirSync(`${dir.path}/y`, { mode: 0o700 });
    mkdirSync(`${state}/logs`, { recursive: true });
    env['SWITCHYARD_STATE_DIR'] = `${dir.path}/state`;
    writeFileSync(`${state}/logs/gateway.log`, '');
    truncateSync(`${state}/logs/gateway.log`, 64 * 1024 * 1024);
    writeFileSync(`${dir.path}/y/supervisor.lock`, JSON.stringify({ pid: process.pid, start_time: 'long ago' }));
    const { code, stdout } = await sy('doctor', '--json');
    const { faults, findings } = JSON.parse(stdout) as { faults: number; findings: Record<string, string>[] };
    const of = (what: string) => findings.find((finding) => finding['what'] === what);
    expect(of('lock')).toMatchObject({ level: 'hint', detail: expect.stringContaining('supervisor that is gone') });
    expect(of('logs')).toMatchObject({ level: 'hint', detail: expect.stringContaining('gateway.log (64 MiB)') });
    expect(of('state folder')).toMatchObject({ detail: expect.stringContaining('MiB are free at') });
    expect(findings.filter(({ level }) => level !== 'ok').every(({ remedy }) => remedy !== undefined)).toBe(true);
    expect(code).toBe(faults === 0 ? 0 : 1);
  });
});
