import { fail } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard } from './fake-yard.js';

let yard: FakeYard;
let surface_id: string;
let workspace_id: string;

beforeEach(async () => {
  yard = await startFakeYard();
  ({ surface_id, workspace_id } = await yard.call('workspace.create', {}));
  await yard.call('surface.create', { workspace_id });
});
afterEach(() => yard.end());

const GRACE_MS = 200;
const refused = (code: string, data: object = {}) =>
  expect.objectContaining({ code, data: expect.objectContaining(data) });
const prompt = (text: string, more: object = {}) =>
  yard.call('agent.prompt', { surface_id, text, working_grace_ms: GRACE_MS, ...more });
const report = (state: string, more: object = {}) =>
  yard.call('surface.report_agent_state', { workspace_id, surface_id, state, ...more });
const screen = async () => (await yard.call('surface.read_text', { surface_id })).text;
const entered = () => waitFor('Enter is pressed', async () => (await screen()).includes('<enter>'));
const receiptOf = (client_message_id: string) => yard.call('agent.receipt', { client_message_id });

describe('agent.prompt (programa-api §7.2)', () => {
  it('writes the text and Enter, and waits for the turn', async () => {
    const prompted = prompt('do it  \n', { working_grace_ms: 5000 });
    await entered();
    await report('working');
    await report('idle');
    expect(await prompted).toMatchObject({ surface_id, working_observed: true, final_state: 'idle' });
    expect(await prompted).not.toHaveProperty('warning');
    expect(await screen()).toBe('do it<enter>\n> ');
  });

  it('ends with the grace where nothing begins, and says why only if nothing was ever reported', async () => {
    expect(await prompt('anybody?')).toMatchObject({
      working_observed: false,
      final_state: null,
      warning: expect.stringContaining('hooks'),
    });
    await report('idle');
    const known = await prompt('and now?');
    expect(known).toMatchObject({ working_observed: false, final_state: 'idle' });
    expect(known).not.toHaveProperty('warning');
  });

  it('waits for the end at once where the agent works already; a clear ends it', async () => {
    await report('working');
    const prompted = prompt('queue this');
    await entered();
    await yard.call('surface.clear_agent_state', { workspace_id, surface_id });
    expect(await prompted).toMatchObject({ working_observed: true, final_state: null });
  });

  it('times out when the turn does not end', async () => {
    await report('working');
    const late = prompt('never ends', { timeout_ms: 300 });
    await expect(late).rejects.toEqual(refused('timeout', { timeout_ms: 300, state: 'working' }));
  });

  it('does not wait for the end with wait: false', async () => {
    const prompted = prompt('go on', { wait: false, working_grace_ms: 5000 });
    await entered();
    await report('working');
    expect(await prompted).toMatchObject({ working_observed: true, final_state: 'working' });
  });

  it('refuses a blank text and a surface that is not there', async () => {
    await expect(prompt(' \n ')).rejects.toEqual(refused('invalid_params', { parameter: 'text' }));
    for (const nobody of ['surface:99', 'nonsense']) {
      await expect(prompt('x', { surface_id: nobody })).rejects.toEqual(refused('not_found'));
    }
    await expect(prompt('x', { name: 'nobody' })).rejects.toEqual(refused('agent_not_running', { name: 'nobody' }));
  });

  it('C10: ends when the surface is closed', async () => {
    const prompted = prompt('go on');
    await entered();
    await report('working');
    await yard.call('surface.close', { surface_id });
    await expect(prompted).rejects.toEqual(refused('agent_not_running', { surface_id }));
  });
});

describe('a prompt that does not suit the agent', () => {
  it('F6: types nothing where its directory was deleted, unless forced', async () => {
    yard.host.isGone = (id) => id === surface_id;
    const { cwd } = yard.host.opened(surface_id);
    await expect(prompt('commit', { client_message_id: 'm' })).rejects.toEqual(
      refused('directory_not_found', { surface_id, cwd }),
    );
    expect(await screen()).toBe('');
    await expect(receiptOf('m')).rejects.toEqual(refused('not_found'));
    const { receipt } = await prompt('rescue', { client_message_id: 'm', force: true });
    expect(receipt).toMatchObject({ client_message_id: 'm', outcome: 'delivered' });
  });

  it('types nothing where another agent runs', async () => {
    const other = prompt('hello', { agent: 'codex', client_message_id: 'm' });
    await expect(other).rejects.toEqual(refused('agent_not_running', { expected: 'codex', agent: null }));
    await report('idle', { agent: 'codex' });
    expect((await prompt('hello', { agent: 'codex', client_message_id: 'm' })).receipt.agent).toBe('codex');
  });

  it('types nothing while the agent asks something, unless forced', async () => {
    yard.host.print(surface_id, 'Delete everything?');
    await report('blocked', { message: 'Delete everything?', question: 'permission' });
    await expect(prompt('yes', { client_message_id: 'm' })).rejects.toEqual(
      refused('agent_not_ready', {
        screen: 'Delete everything?',
        question: { kind: 'permission', excerpt: 'Delete everything?' },
      }),
    );
    expect(await screen()).toBe('Delete everything?');
    await expect(receiptOf('m')).rejects.toEqual(refused('not_found'));
    await prompt('yes', { client_message_id: 'm', force: true, wait: false });
    expect(await screen()).toContain('yes<enter>');
  });

  it('does not press Enter when a dialog opens after the paste', async () => {
    await report('idle', { agent: 'codex' });
    yard.host.onInput = async () => void (await report('blocked', { agent: 'codex', message: 'Trust it?' }));
    await expect(prompt('go on', { client_message_id: 'm' })).rejects.toEqual(
      refused('agent_not_ready', { stage: 'seen_in_composer', client_message_id: 'm' }),
    );
    expect(await screen()).toBe('go on');
    expect(await receiptOf('m')).toMatchObject({ outcome: 'not_submitted', enters: 0 });
  });
});

describe('client_message_id', () => {
  const once = { client_message_id: 'm-1' };

  it('writes a prompt once, and tells a repeat what became of it', async () => {
    const both = await Promise.all([prompt('only once', once), prompt('only once', once)]);
    expect(both[0].receipt).toEqual(both[1].receipt);
    expect((await prompt('only once', once)).receipt).toEqual(both[0].receipt);
    expect(await screen()).toBe('only once<enter>\n> ');
    await expect(prompt('something else', once)).rejects.toEqual(
      refused('invalid_params', { parameter: 'client_message_id' }),
    );
  });

  it('has a receipt that follows the turn, also over a restart', async () => {
    await prompt('go on', once);
    expect(await receiptOf('m-1')).toMatchObject({
      outcome: 'delivered',
      stage: 'submitted',
      enters: 1,
      text_bytes: 5,
    });
    await yard.restart();
    await report('working');
    expect(await receiptOf('m-1')).toMatchObject({ stage: 'turn_started' });
    await report('idle');
    const stages = (await receiptOf('m-1')).stages.map(({ stage }) => stage);
    expect(stages).toEqual(['accepted', 'written', 'seen_in_composer', 'submitted', 'turn_started', 'finished']);
    expect(await prompt('go on', once)).toMatchObject({ working_observed: true, receipt: { stage: 'finished' } });
    expect(await screen()).toBe('go on<enter>\n> ');
  });

  it('after a crash in the middle the outcome is unknown, and nothing is written again', async () => {
    for (const [n, moment] of ['text', '<enter>'].entries()) {
      const id = { client_message_id: `crash-${n}` };
      let reached = false;
      yard.host.onInput = async (_, typed) => {
        if (typed !== '<enter>' && moment === '<enter>') return;
        reached = true;
        await new Promise(() => undefined);
      };
      prompt('text', id).catch(() => undefined);
      await waitFor(`the service types ${moment}`, () => reached);
      yard.host.onInput = () => undefined;
      await yard.crash();
      const before = await screen();
      await expect(prompt('text', id)).rejects.toEqual(refused('outcome_unknown', { receipt: expect.anything() }));
      expect(await receiptOf(id.client_message_id)).toMatchObject({ outcome: 'unknown', enters: n });
      expect(await screen()).toBe(before);
    }
  });

  it('is free again when nothing could be typed', async () => {
    yard.host.onInput = () => fail('input_overflow', 'full');
    await expect(prompt('text', once)).rejects.toEqual(refused('input_overflow', {}));
    yard.host.onInput = () => undefined;
    expect((await prompt('text', once)).receipt.outcome).toBe('delivered');
  });

  it('is unknown when the pty-host can not say whether it typed', async () => {
    yard.host.onInput = () => fail('outcome_unknown', 'the keeper went away');
    await expect(prompt('text', once)).rejects.toEqual(refused('outcome_unknown'));
    yard.host.onInput = () => undefined;
    await expect(prompt('text', once)).rejects.toEqual(refused('outcome_unknown'));
    expect(await screen()).toBe('');
  });

  it('is delivered when the program ends at the Enter', async () => {
    yard.host.onInput = (id, typed) => {
      if (typed === '<enter>') setImmediate(() => yard.host.terminals.delete(id));
    };
    expect((await prompt('exit', once)).receipt).toMatchObject({ outcome: 'delivered', stage: 'submitted' });
  });
});

describe('input during a prompt', () => {
  /** Holds up the typing of a prompt until it is let go. */
  const heldUp = () => {
    const held: { letGo?: () => void } = {};
    yard.host.onInput = (id, typed) => {
      if (typed !== 'prompt' || id !== surface_id) return undefined;
      return new Promise((resolve) => {
        held.letGo = resolve;
      });
    };
    return () => waitFor('the prompt is being typed', () => held.letGo);
  };

  it('waits until the prompt is written; what is typed elsewhere does not', async () => {
    const second = (await yard.call('surface.create', { workspace_id })).surface_id;
    const typing = heldUp();
    const prompted = prompt('prompt');
    const letGo = await typing();
    const typed = [
      yard.call('surface.send_text', { surface_id, text: 'a' }),
      yard.call('surface.send_key', { surface_id, key: 'tab' }),
      yard.call('surface.send_bytes', { surface_id, data: Buffer.from('b').toString('base64') }),
    ];
    await yard.call('surface.send_text', { surface_id: second, text: 'elsewhere' });
    letGo();
    await Promise.all([prompted, ...typed]);
    expect(await screen()).toBe('prompt<enter>\n> a<tab>b');
  });

  it('gives up at its own deadline', async () => {
    const typing = heldUp();
    const prompted = prompt('prompt');
    const letGo = await typing();
    const late = yard.call('surface.send_text', { surface_id, text: 'a' }, { deadline: performance.now() + 50 });
    await expect(late).rejects.toEqual(refused('timeout'));
    letGo();
    await prompted;
  });
});
