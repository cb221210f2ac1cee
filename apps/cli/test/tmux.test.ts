import { writeFileSync } from 'node:fs';
import { startTmux, type TempDir, type TmuxServer, tempDir, tmuxMissing, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlClient, type ControlNews } from '../src/tmux/control-client.js';

const missing = tmuxMissing();
const title = `C14: a real tmux${missing === undefined ? '' : ` (skipped: ${missing})`}`;
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

describe.skipIf(missing !== undefined)(title, () => {
  let dir: TempDir;
  let server: TmuxServer;
  let client: ControlClient;
  let news: ControlNews[];
  const open = async (...program: string[]) => {
    server = startTmux(dir.path, ...program);
    client = new ControlClient({ socket: server.socket, target: '%0', onNews: (one) => news.push(one) });
    await client.ready();
  };
  const printed = () => Buffer.concat(news.flatMap((one) => (one.kind === 'output' ? one.data : [])));
  beforeEach(() => {
    dir = tempDir();
    news = [];
  });
  afterEach(() => {
    client.close();
    server.stop();
    dir.remove();
  });

  it('C14: gives every byte that a pane prints, characters split at any place', async () => {
    const euros = Buffer.from('€'.repeat(5000));
    writeFileSync(`${dir.path}/bytes`, Buffer.concat([EVERY_BYTE, euros, Buffer.from('THE-END')]));
    await open('sh', '-c', `stty raw -echo; head -c 1 >/dev/null; cat '${dir.path}/bytes'; head -c 1 >/dev/null`);
    await client.run('send-keys -t %0 g');
    await waitFor('all of it', () => printed().includes('THE-END'));
    const bytes = printed();
    const start = bytes.indexOf(EVERY_BYTE);
    expect(start).toBeGreaterThanOrEqual(0);
    expect(bytes.subarray(start + 256, start + 256 + euros.length).equals(euros)).toBe(true);
  });

  it('answers commands in turn, with what was said against one, and goes on after it', async () => {
    await open('sh');
    const wrong = client.run('no-such-command');
    const right = client.run("display-message -p '#{pane_id}'");
    await expect(wrong).rejects.toThrow(/unknown command/);
    expect((await right).map(String)).toEqual(['%0']);
  });

  it('says when the server has ended', async () => {
    await open('sh');
    server.run('kill-server');
    await client.closed;
    expect(news.at(-1)).toMatchObject({ kind: 'exit' });
  });
});
