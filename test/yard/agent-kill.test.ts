import type { Client } from '@switchyard/client';
import { waitFor, within } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { startComposer } from './composer-program.js';
import { useYard } from './use-yard.js';

const TEXT = Array.from({ length: 100 }, (_, n) => `${n}: this must be said once and never twice`).join('\n');
/** A composer this slow leaves time to be killed at every stage. */
const SLOW = { COMPOSER_PAINT_MS: '500' };
const PATIENCE_MS = 40_000;

interface Moment {
  readonly stage: string;
  readonly enters: number;
}
const MOMENTS: Record<string, (seen: Moment) => boolean> = {
  'once it is accepted': () => true,
  'once it is written': ({ stage }) => stage !== 'accepted',
  'once the composer shows it': ({ stage }) => stage === 'seen_in_composer',
  'once Enter is pressed': ({ enters }) => enters > 0,
};

describe('a prompt in the middle of which a process is killed', () => {
  const yard = useYard();
  let count = 0;

  async function promptAndKill(victim: string, isMoment: (seen: Moment) => boolean) {
    const client = await yard().client();
    const { surface_id, submitted } = await startComposer(yard(), SLOW);
    const client_message_id = `kill-${++count}`;
    const order = { surface_id, text: TEXT, client_message_id, working_grace_ms: 0 };
    const first = outcomeOf(client.call('agent.prompt', order));
    const seen = await waitFor('the moment', () => receipt(client, client_message_id, isMoment));
    const pid = await yard().kill(victim);
    await within(PATIENCE_MS, 'the call ends', first);
    await yard().untilRestarted(victim, pid);
    const repeated = await outcomeOf(client.call('agent.prompt', order));
    const last = await client.call('agent.receipt', { client_message_id });
    return { seen, first: await first, repeated, last, submitted };
  }

  it.each(Object.entries(MOMENTS))('pty-host, %s: it is submitted once', async (_, isMoment) => {
    const { first, last, repeated, submitted } = await promptAndKill('pty-host', isMoment);
    expect({ first, repeated }).toEqual({ first: 'ok', repeated: 'ok' });
    expect(last.outcome).toBe('delivered');
    expect(submitted()).toEqual([{ text: TEXT, mode: 'prompt' }]);
  });

  it.each(Object.entries(MOMENTS))('workspace-service, %s: it is never submitted twice', async (_, isMoment) => {
    const { first, last, repeated, submitted } = await promptAndKill('workspace-service', isMoment);
    expect(['ok', 'outcome_unknown']).toContain(first);
    expect(repeated).toBe(last.outcome === 'unknown' ? 'outcome_unknown' : 'ok');
    expect(submitted().length).toBeLessThanOrEqual(1);
    if (last.outcome === 'delivered') expect(submitted()).toHaveLength(1);
  });

  it('workspace-service, during the turn: the call is answered when the turn is over', async () => {
    const client = await yard().client();
    const status = { SWITCHYARD_AGENT: 'claude-code', COMPOSER_STATUS: '1', COMPOSER_WORK_MS: '3000' };
    const { surface_id, submitted } = await startComposer(yard(), status);
    const client_message_id = `kill-${++count}`;
    const prompted = client.call('agent.prompt', { surface_id, text: 'Take your time.', client_message_id });
    await waitFor('its turn', () => receipt(client, client_message_id, ({ stage }) => stage === 'turn_started'));
    const pid = await yard().kill('workspace-service');
    await yard().untilRestarted('workspace-service', pid);
    const { receipt: last, ...answer } = await within(PATIENCE_MS, 'the answer', prompted);
    expect(answer).toMatchObject({ working_observed: true, final_state: 'idle' });
    expect(last).toMatchObject({ stage: 'finished', outcome: 'delivered' });
    expect(submitted()).toHaveLength(1);
  });
});

async function receipt(client: Client, client_message_id: string, isMoment: (seen: Moment) => boolean) {
  const seen = await client.call('agent.receipt', { client_message_id });
  return isMoment(seen) && seen;
}

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    ({ code }: { code: string }) => code,
  );
