import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScreenSample, Verdict } from '@switchyard/agents';
import type { Served } from '@switchyard/bus';
import type { MethodName, Params, Result } from '@switchyard/protocol';
import { waitFor as eventually, type TempDir, tempDir } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Host, startHost } from './support/host.js';
import { verdictWith } from './support/verdict.js';

type Observed = Pick<ScreenSample, 'surface_id' | 'rev' | 'foreground'> & {
  verdict: Verdict | null;
  program: { state: string } | null;
};

const shell = (script: string) => ['/bin/sh', '-c', script];
const QUIET = { idle: 'idle', working: 'working' } as const;

let host: Host;
let folder: TempDir;
let served: Served[] = [];
const samples: ScreenSample[] = [];
const observed: Observed[] = [];
const of = (surface_id: string) => observed.filter((seen) => seen.surface_id === surface_id);
const last = (surface_id: string) => of(surface_id).at(-1);
const call = <M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> =>
  host.bus.call(method, params, { address: 'local-0' });
const waitFor = (surface_id: string, pattern: string) =>
  call('terminal.wait', { surface_id, pattern, lines: 2000, timeout_ms: 20_000 });

/** Knows one agent, by its process, and takes its last line for its state. */
function judge(sample: ScreenSample): Verdict {
  samples.push(sample);
  const known = sample.foreground?.names.includes('fake-agent') === true;
  const line = sample.lines.filter((text) => text !== '').at(-1) ?? '';
  const state = known ? (QUIET[line as keyof typeof QUIET] ?? null) : null;
  return verdictWith({ rev: sample.rev, agent: known ? 'fake-agent' : null, state });
}

/** Stands for a service of which only one method is of interest. */
async function serve(service: 'detector' | 'workspace-service', method: string, fn: (params: never) => unknown) {
  served.push(await host.bus.serve(service, '_', { [method]: fn } as never));
}

beforeAll(async () => {
  folder = tempDir('sy-agent');
  mkdirSync(join(folder.path, 'bin'));
  const script =
    '#!/usr/bin/env node\nprocess.stdin.on("data", (text) => console.log(String(text).trim()));console.log("idle");\n';
  writeFileSync(join(folder.path, 'bin', 'fake-agent.mjs'), script);
  chmodSync(join(folder.path, 'bin', 'fake-agent.mjs'), 0o755);
  host = await startHost();
});
afterAll(async () => {
  await host.stop();
  folder.remove();
});
beforeEach(async () => {
  await serve('detector', 'agent.evaluate', ({ samples: asked }: Params<'agent.evaluate'>) => ({
    verdicts: asked.map(judge),
  }));
  await serve('workspace-service', 'surface.observe', (seen) => {
    observed.push(seen);
    return { accepted: true };
  });
});
afterEach(async () => {
  await Promise.all(served.map((one) => one.stop()));
  served = [];
  for (const list of [samples, observed]) list.length = 0;
});

const agent = () => `${process.execPath} ${join(folder.path, 'bin', 'fake-agent.mjs')}`;

it('sees the agent behind a shell, what it does, and when it is gone', async () => {
  const surface_id = await host.open(shell(`echo start; ${agent()}; echo over; read x`));
  await eventually('the agent is seen', () => last(surface_id)?.verdict?.state === 'idle');
  expect(last(surface_id)?.foreground).toMatchObject({ names: ['fake-agent'], hint: null });
  const { foreground } = await call('terminal.sample', { surface_id });
  expect(foreground).toEqual(last(surface_id)?.foreground);
  await call('terminal.send_text', { surface_id, text: 'working\n', paste: false });
  await eventually('its work is seen', () => last(surface_id)?.verdict?.state === 'working');
  await call('terminal.send_text', { surface_id, text: '\x04', paste: false });
  await waitFor(surface_id, 'over');
  await eventually('its end is seen', () => last(surface_id)?.verdict?.agent === null);
  expect(last(surface_id)?.foreground?.names).not.toContain('fake-agent');
  const revisions = of(surface_id).map(({ rev }) => rev);
  expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
});

it('has the hint from the environment, and asks nobody while nothing changes', async () => {
  const surface_id = await host.open(shell('SWITCHYARD_AGENT=special sleep 60; read x'));
  const seen = async () => (await call('terminal.sample', { surface_id })).foreground;
  await eventually('sleep is in the foreground', async () => (await seen())?.hint === 'special');
  expect(await seen()).toMatchObject({ names: ['sleep'], argv: ['sleep', '60'] });
  await eventually('the terminal was looked at', () => of(surface_id).length > 0);
  const count = samples.length;
  const other = await host.open(shell('echo other; read x'));
  await eventually('another is looked at', () => of(other).length > 0);
  expect(samples.filter((sample) => sample.surface_id === surface_id).length).toBeLessThanOrEqual(count);
});

it('tells what the program reports before the screen has settled, and without a detector', async () => {
  await served[0]?.stop();
  const surface_id = await host.open(shell("read x; printf '\\033]7501;state=working\\007'; read y"));
  await call('terminal.send_key', { surface_id, key: 'enter' });
  await eventually('the report is told', () => last(surface_id)?.program?.state === 'working');
});

it('does not have a plain program judged at every change of its screen', async () => {
  const surface_id = await host.open(
    shell('for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.1; done; echo END; exec cat'),
  );
  await waitFor(surface_id, 'END');
  const judged = samples.filter((sample) => sample.surface_id === surface_id);
  const programs = new Set(judged.map((sample) => sample.foreground?.pid));
  expect(judged.length).toBeLessThanOrEqual(programs.size + 1);
});

it('tells everything again to a workspace-service that has begun anew', async () => {
  const surface_id = await host.open(shell(agent()));
  await eventually('the agent is seen', () => last(surface_id)?.verdict?.state === 'idle');
  observed.length = 0;
  const mark = { service: 'workspace-service', address: '_', instance: 'next', version: '0' } as const;
  host.bus.publish('service.ready', mark);
  await eventually('it is told again', () => last(surface_id)?.verdict?.state === 'idle');
});
