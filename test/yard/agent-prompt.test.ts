import type { Client } from '@switchyard/client';
import { waitFor } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { startComposer } from './composer-program.js';
import { CliInTerminal } from './pty-program.js';
import { useYard } from './use-yard.js';

const hundredLines = Array.from(
  { length: 100 },
  (_, n) => `${n}: ${'lorem ipsum dolor sit amet '.slice(0, 38)} end`,
).join('\n');
const PROMPTS: Record<string, string> = {
  'one line': 'Run the tests and tell me what fails.',
  '100 lines, 4.5 KB': hundredLines,
  'D9: an exclamation mark': 'A != B\n! this is no shell command',
  'lines that begin with ! # / @': '!important\n# heading\n/etc/hosts is a file\n@someone said so',
  emoji: 'Ship it 🚀 today 👩‍👩‍👧‍👦 family 🇨🇭',
  'nothing but emoji': '🎉🎉🎉',
  'code with brackets': 'if (a[0] === "[200~") { return \\"x\\"; }',
};

/** A recognised agent that says itself what it does. */
const TALKS = { SWITCHYARD_AGENT: 'claude-code', COMPOSER_STATUS: '1' };

let count = 0;

const prompt = (client: Client, surface_id: string, text: string, more: object = {}) =>
  client.call('agent.prompt', { surface_id, text, working_grace_ms: 0, ...more });

describe('a prompt to a composer that swallows an Enter in the same read as the end of a paste', () => {
  const yard = useYard();

  it.each(Object.entries(PROMPTS))('%s: is submitted once, and the receipt says so (D10)', async (_, text) => {
    const client = await yard().client();
    const { surface_id, submitted } = await startComposer(yard());
    const id = `once-${++count}`;
    const { receipt } = await prompt(client, surface_id, text, { client_message_id: id });
    expect(receipt).toMatchObject({ client_message_id: id, outcome: 'delivered', enters: 1 });
    expect(submitted()).toEqual([{ text, mode: 'prompt' }]);
    expect(await prompt(client, surface_id, text, { client_message_id: id })).toMatchObject({ receipt });
    expect(await client.call('agent.receipt', { client_message_id: id })).toMatchObject({ outcome: 'delivered' });
    expect(submitted()).toHaveLength(1);
  });

  it('D10: a folded paste is recognised by its placeholder', async () => {
    const client = await yard().client();
    const { surface_id, submitted } = await startComposer(yard(), { COMPOSER_FOLD: '5', COMPOSER_PAINT_MS: '400' });
    const { receipt } = await prompt(client, surface_id, hundredLines);
    expect(receipt.stages.map(({ stage }) => stage)).toEqual(['accepted', 'written', 'seen_in_composer', 'submitted']);
    expect(submitted()).toEqual([{ text: hundredLines, mode: 'prompt' }]);
  });

  it('D10: an Enter that is lost is pressed once more', async () => {
    const client = await yard().client();
    const { surface_id, submitted } = await startComposer(yard(), { COMPOSER_DEAF: '1' });
    const { receipt } = await prompt(client, surface_id, 'Try again, please.');
    expect(receipt).toMatchObject({ outcome: 'delivered', enters: 2 });
    expect(submitted()).toHaveLength(1);
  });

  it('C11: where Enter has no effect nothing claims that it had', async () => {
    const client = await yard().client();
    const { surface_id, submitted } = await startComposer(yard(), { COMPOSER_DEAF: '9' });
    const { receipt, warning, working_observed } = await prompt(client, surface_id, 'Is anybody there?');
    expect(receipt).toMatchObject({ outcome: 'not_submitted', stage: 'seen_in_composer', enters: 2 });
    expect(warning).toMatch(/no effect/);
    expect(working_observed).toBe(false);
    expect(submitted()).toEqual([]);
    await expect(prompt(client, surface_id, 'Another one.')).rejects.toMatchObject({
      code: 'agent_not_ready',
      data: { client_message_id: receipt.client_message_id, screen: expect.stringContaining('Is anybody there?') },
    });
    await client.call('surface.send_text', { surface_id, text: '\x7f'.repeat(30) });
    await client.call('surface.wait', { surface_id, pattern: '│ *\n' });
    expect((await prompt(client, surface_id, 'Another one.')).receipt.stage).toBe('seen_in_composer');
  });

  it('waits for the turn where the program says what it does', async () => {
    const client = await yard().client();
    const { surface_id } = await startComposer(yard(), { ...TALKS, COMPOSER_WORK_MS: '900' });
    const done = await prompt(client, surface_id, 'Work a little.', { working_grace_ms: 3000 });
    expect(done).toMatchObject({ working_observed: true, final_state: 'idle' });
    expect(done.receipt).toMatchObject({ stage: 'finished', outcome: 'delivered' });
    expect(done.receipt.stages.map(({ stage }) => stage)).toContain('turn_started');
  });

  it('two prompts at once, and text that is typed meanwhile, do not mix', async () => {
    const client = await yard().client();
    const { surface_id, submitted } = await startComposer(yard(), { COMPOSER_PAINT_MS: '300' });
    const first = prompt(client, surface_id, 'The first prompt of two.');
    const second = prompt(client, surface_id, 'The second prompt of two.');
    const typed = client.call('surface.send_text', { surface_id, text: 'typed\r' });
    expect((await Promise.all([first, second])).map(({ receipt }) => receipt.outcome)).toEqual([
      'delivered',
      'delivered',
    ]);
    await typed;
    await waitFor('all three are submitted', () => submitted().length === 3);
    expect(submitted().map(({ text }) => text)).toEqual([
      'The first prompt of two.',
      'The second prompt of two.',
      'typed',
    ]);
  });

  it('is refused while a dialog is open, with the screen, and can be forced', async () => {
    const client = await yard().client();
    const { surface_id, submitted } = await startComposer(yard(), { ...TALKS, COMPOSER_ASKS: '1' });
    await prompt(client, surface_id, 'Ask me something.', { wait: false });
    await client.call('surface.wait', { surface_id, agent_state: 'blocked' });
    await expect(prompt(client, surface_id, 'Never mind.')).rejects.toMatchObject({
      code: 'agent_not_ready',
      data: { question: { kind: 'permission' }, screen: expect.stringContaining('Do you want to proceed?') },
    });
    expect(submitted()).toHaveLength(1);
    const forced = await prompt(client, surface_id, 'Do it all the same.', { force: true, wait: false });
    expect(forced.receipt.outcome).toBe('delivered');
    expect(submitted()).toHaveLength(2);
  });

  it('D11: a paste with line ends through attach is one paste, not many submits', async () => {
    const { surface_id, submitted } = await startComposer(yard());
    const attached = new CliInTerminal(['attach', surface_id], yard().env);
    // The terminal of the person is told that the program takes pastes, and marks them.
    await attached.shows(/READY[\s\S]*\x1b\[\?2004h|\x1b\[\?2004h[\s\S]*READY/);
    attached.type('\x1b[200~first\rsecond\r! third\x1b[201~');
    await attached.shows(/! third/);
    attached.type('\r');
    await waitFor('it is submitted', () => submitted().length > 0);
    expect(submitted()).toEqual([{ text: 'first\nsecond\n! third', mode: 'prompt' }]);
    attached.type('\x1d');
    expect(await attached.exited).toBe(0);
  });
});
