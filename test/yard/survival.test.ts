import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@switchyard/client';
import { hasNatsServer, isAlive, waitFor, within, type Yard } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { LineFollower, linePrinter, lineText } from './numbered-lines.js';
import { sizeFrom, useYard } from './use-yard.js';

const SURFACES = 20;
const ROUNDS = sizeFrom('SWITCHYARD_TEST_ROUNDS', 1);
/** Lines that each surface prints for each kill. */
const LINES = sizeFrom('SWITCHYARD_TEST_LINES', 40_000);
const MiB = 1024 * 1024;
/** Twenty floods and a restart share two cores. */
const PATIENCE_MS = 90_000;

/** A busy machine may let this process sleep through a flood. */
const MOST_TRIES = 5;
/** What is shown here is that nothing is lost, on a machine that may be far too busy to start a process in 3 s. */
const GRACE_MS = 60_000;

/** A plain request that the process itself must answer, so that it is in its hands when it dies. */
const REQUEST_TO: Record<string, (client: Client) => Promise<unknown>> = {
  gateway: (client) => client.call('system.ping', {}),
  'workspace-service': (client) => client.call('system.tree', { all_windows: true }),
  'pty-host': (client) => client.call('surface.read_text', {}),
  detector: (client) => client.call('agent.detection.list', {}),
  notifier: (client) => client.call('notification.list', {}),
  'git-service': (client) => client.call('worktree.list', { repo: process.cwd() }),
  bus: (client) => client.call('system.tree', { all_windows: true }),
};

interface Printer {
  readonly fifo: string;
  readonly pid: number;
  readonly lines: LineFollower;
}

describe.each(['embedded', 'nats-server'] as const)('with the broker %s, while 20 surfaces flood', (bus) => {
  describe.skipIf(bus === 'nats-server' && !hasNatsServer())(`nats-server is on PATH`, () => {
    const yard = useYard({
      bus,
      settings: { terminal: { log_budget_bytes: 1024 * MiB }, gateway: { restart_grace_ms: GRACE_MS } },
    });
    const printers: Printer[] = [];
    let printed = 0;

    it('starts twenty programs that print numbered lines', async () => {
      const client = await yard().client();
      for (let i = 0; i < SURFACES; i++) printers.push(await startPrinter(client, join(yard().dir, `${i}.fifo`)));
    });

    const victims = Array.from({ length: ROUNDS }, (_, i) =>
      Object.keys(REQUEST_TO).map((name) => [name, i + 1] as const),
    );
    it.each(victims.flat())(
      'SIGKILL of %s (round %i) loses no line, no program and no request',
      async (victim) => {
        for (let tries = 0; tries < MOST_TRIES; tries++) {
          printed += LINES;
          if (await floodAndKill(yard(), printers, victim, printed)) return;
        }
        throw new Error(`the flood was over before the kill, ${MOST_TRIES} times`);
      },
      2 * PATIENCE_MS,
    );

    it('has every program still alive', () => {
      expect(printers.filter(({ pid }) => !isAlive(pid))).toEqual([]);
    });
  });
});

async function startPrinter(client: Client, fifo: string): Promise<Printer> {
  execFileSync('mkfifo', [fifo]);
  const { surface_id } = await client.call('workspace.create', { argv: linePrinter(fifo) });
  const ready = await client.call('surface.wait', { surface_id, pattern: 'READY \\d+;' });
  const pid = Number(ready.match?.slice('READY '.length, -1));
  const { next_offset } = await client.call('surface.read_output', { surface_id, offset: 0 });
  return { fifo, pid, lines: new LineFollower(surface_id, next_offset) };
}

/** @returns whether the kill came while the flood was on */
async function floodAndKill(yard: Yard, printers: readonly Printer[], victim: string, last: number): Promise<boolean> {
  const client = await yard.client();
  const pid = await yard.pidOf(victim);
  const [first] = printers;
  if (first === undefined) throw new Error('no printers');
  const pattern = lineText(last);
  const waiting = settled(
    client.call('surface.wait', { surface_id: first.lines.surfaceId, pattern, timeout_ms: PATIENCE_MS }),
  );
  for (const { fifo } of printers) appendFileSync(fifo, `${LINES}\n`);
  const request = settled(REQUEST_TO[victim]?.(client) ?? Promise.reject(new Error(`no request to ${victim}`)));
  await waitFor('the flood is on', () => printers.some(isPrinting));
  process.kill(pid, 'SIGKILL');
  const inFlood = printers.some(isPrinting);
  checkEnds(victim, ...(await Promise.all([waiting, request])));
  await yard.untilRestarted(victim, pid);
  const after = await yard.client();
  for (const { lines } of printers) await within(PATIENCE_MS, pattern, lines.readUntil(after, last));
  return inFlood;
}

function checkEnds(victim: string, wait: string, request: string): void {
  if (victim === 'gateway') {
    // Its own connections die with it; a request may have been answered before.
    expect(wait).toMatch(/^connection_closed/);
    expect(request).toMatch(/^(ok|connection_closed)/);
  } else {
    expect({ wait, request }).toEqual({ wait: 'ok', request: 'ok' });
  }
}

/** While it prints, the shell has a child that does. */
function isPrinting({ pid }: Printer): boolean {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') !== '';
}

/** How a call ends, as a value, so that no rejection is unhandled meanwhile: `ok`, or the code and what it says. */
function settled(call: Promise<unknown>): Promise<string> {
  return within(PATIENCE_MS, 'the end of a call', call).then(
    () => 'ok',
    (error: Error & { code?: string }) => `${error.code ?? 'error'}: ${error.message}`,
  );
}
