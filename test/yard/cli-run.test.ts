import { spawn } from 'node:child_process';
import { CLI, type CliRun, waitFor, within } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

describe('switchyard run', () => {
  const yard = useYard();
  const sh = (script: string): Promise<CliRun> => yard().cli('run', '--', 'sh', '-c', script);
  const surfaces = async () => (await (await yard().client()).call('surface.list', {})).surfaces.length;

  it('shows the output of a command and exits with its status', async () => {
    expect(await sh('printf out; exit 7')).toMatchObject({ code: 7, stdout: 'out' });
    expect(await sh('true')).toMatchObject({ code: 0, stdout: '' });
  });

  it('exits as a shell would after a signal', async () => {
    expect((await sh('kill -TERM $$')).code).toBe(143);
  });

  it('loses no byte of a large output', async () => {
    const { stdout, code } = await sh('seq 1 200000');
    expect(code).toBe(0);
    expect(stdout.length).toBe(
      Array.from({ length: 200_000 }, (_, i) => `${i + 1}\r\n`.length).reduce((a, b) => a + b),
    );
    expect(stdout.endsWith('\r\n200000\r\n')).toBe(true);
  });

  it('closes its terminal afterwards, unless told to keep it', async () => {
    const before = await surfaces();
    await sh('echo gone');
    expect(await surfaces()).toBe(before);
    await yard().cli('run', '--keep', '--', 'echo', 'kept');
    expect(await surfaces()).toBe(before + 1);
  });

  it('takes options of the command for the command', async () => {
    expect((await yard().cli('run', 'echo', '--json', '-n', 'x')).stdout).toBe('--json -n x\r\n');
  });

  it('exits with 125 when the command cannot be started', async () => {
    const { code, stderr } = await yard().cli('run', '--', '/no/such/program');
    expect(code).toBe(125);
    expect(stderr).toContain('command_not_found');
  });

  it('passes an interrupt on to the command', async () => {
    const child = spawn(
      process.execPath,
      [CLI, 'run', '--', 'sh', '-c', 'trap "echo caught; exit 3" INT; echo armed; while :; do sleep 1; done'],
      {
        env: yard().env,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await waitFor('the command runs', () => text.includes('armed'));
    child.kill('SIGINT');
    expect(await within(15_000, 'run ends', exited)).toBe(3);
    expect(text).toContain('caught');
  });

  it('goes on with the output where it was when the gateway is killed', async () => {
    const running = sh('for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo tick $i; sleep 0.2; done');
    const client = await yard().client();
    await waitFor('the command prints', async () => {
      const { surfaces: all } = await client.call('surface.list', {});
      const screens = all.map(({ id }) => client.call('surface.read_text', { surface_id: id }));
      return (await Promise.all(screens)).some(({ text }) => text.includes('tick 3'));
    });
    await yard().untilRestarted('gateway', await yard().kill('gateway'));
    const { stdout, code } = await within(30_000, 'run ends', running);
    expect(code).toBe(0);
    expect(stdout).toBe(Array.from({ length: 20 }, (_, i) => `tick ${i + 1}\r\n`).join(''));
  });
});
