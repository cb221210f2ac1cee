import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

/** Short, as it is waited for in full. */
const VERIFY_MS = 300;
/** Reads nothing and echoes nothing. */
const DEAF = ['sh', '-c', 'stty -echo -icanon; echo READY; exec sleep 600'];

describe('input that is verified', () => {
  const yard = useYard();
  const open = async (argv: string[]) => {
    const client = await yard().client();
    const { surface_id } = await client.call('workspace.create', { argv });
    await client.call('surface.wait', { surface_id, pattern: 'READY' });
    return { client, surface_id };
  };

  it('C11: says of Enter to a program that ignores it that no change was seen, and claims nothing unasked', async () => {
    const { client, surface_id } = await open(DEAF);
    const plain = await client.call('surface.send_key', { surface_id, key: 'enter' });
    expect(plain).not.toHaveProperty('change_seen');
    const asked = { surface_id, verify_ms: VERIFY_MS };
    expect(await client.call('surface.send_key', { ...asked, key: 'enter' })).toMatchObject({ change_seen: false });
    expect(await client.call('surface.send_text', { ...asked, text: 'y' })).toMatchObject({ change_seen: false });
  });

  it('says that a change was seen as soon as there is one', async () => {
    const { client, surface_id } = await open(['sh', '-c', 'stty -echo; echo READY; read line; echo got it; read end']);
    const typed = { surface_id, text: 'hello\n', verify_ms: 10_000 };
    expect(await client.call('surface.send_text', typed)).toMatchObject({ change_seen: true });
    const last = { surface_id, text: '\n', verify_ms: 10_000 };
    expect(await client.call('surface.send_text', last), 'the program ends').toMatchObject({ change_seen: true });
  });
});
