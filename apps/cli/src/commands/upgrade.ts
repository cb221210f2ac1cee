import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Client, connectClient } from '@switchyard/client';
import type { Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { askSupervisor } from '../ask-supervisor.js';
import { type Run, text } from '../command.js';
import { EXIT } from '../domain/exit-codes.js';

interface Ended {
  readonly upgrade: NonNullable<Result<'yard.status'>['upgrade']>;
  /** Of the supervisor that is in charge now. */
  readonly version: string;
}

/** All processes of a large yard, one after the other, and back again. */
const UPGRADE_MS = 15 * 60_000;
const LOOK_MS = 100;

export const upgrade: Run = async (context, _, options) => {
  const from = text(options, 'from') ?? fileURLToPath(new URL('../..', import.meta.url));
  const expected_version = text(options, 'expect');
  const { out, globals, paths } = context;
  const client = await askSupervisor(context);
  const params = { from, ...(expected_version !== undefined && { expected_version }) };
  const begun = await client.call('server.live_handoff', params, { timeoutMs: UPGRADE_MS });
  out.note(`From version ${begun.from.version} to ${begun.to.version}. Terminals run on.`);
  const limit = globals.timeout ?? UPGRADE_MS;
  const { upgrade: ended, version } = await follow(paths.supervisorSocket, limit, (step) => out.note(`  ${step} …`));
  out.result(ended, ({ state, to, error }) => [
    state === 'done'
      ? `Every process runs version ${to.version}.`
      : `The upgrade failed, and version ${version} is in charge: ${error ?? 'no reason is known'}`,
  ]);
  return ended.state === 'done' ? EXIT.ok : EXIT.refused;
};

/** The supervisor is itself replaced meanwhile: it is asked anew until it says how it ended. */
async function follow(socket: string, limitMs: number, tell: (step: string) => void): Promise<Ended> {
  const end = performance.now() + limitMs;
  let told: string | null = null;
  while (performance.now() < end) {
    await delay(LOOK_MS);
    const status = await statusOf(socket);
    const now = status?.upgrade;
    if (status === undefined || now === undefined || now === null) continue;
    if (now.state !== 'running') return { upgrade: now, version: status.supervisor.version };
    if (now.step !== null && now.step !== told) tell(now.step);
    told = now.step;
  }
  throw new SwitchyardError('timeout', 'The upgrade is still under way; see: sy status');
}

/** @returns undefined while nobody answers */
async function statusOf(socket: string): Promise<Result<'yard.status'> | undefined> {
  let client: Client | undefined;
  try {
    client = await connectClient(socket);
    return await client.call('yard.status', {});
  } catch {
    return undefined; // between two programs
  } finally {
    client?.close();
  }
}
