import { waitFor } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

describe('notifications', () => {
  const yard = useYard();
  const cli = (...args: string[]) => yard().cli(...args);

  it('come from terminals, each once, though every process is killed in between', async () => {
    const client = await yard().client();
    const script = `read go; printf '\\033]9;one\\007'; read go; printf '\\033]777;notify;two;text\\033\\\\'; read stop`;
    const { surface_id = '' } = await client.call('workspace.create', {
      argv: ['/bin/sh', '-c', script],
      title: 'api',
    });
    const told = async () => {
      const { events } = await client.call('events.read', { kinds: ['notification.created'], limit: 1000 });
      return events.filter((event) => event.surface_id === surface_id).map(({ data }) => data as { title: string });
    };
    for (const [i, service] of ['notifier', 'pty-host', 'workspace-service'].entries()) {
      if (i < 2) await client.call('surface.send_key', { surface_id, key: 'enter' });
      if (i < 2) await waitFor('it is told', async () => (await told()).length === i + 1);
      const pid = await yard().kill(service);
      await yard().untilRestarted(service, pid);
    }
    expect(await told()).toMatchObject([{ excerpt: 'one' }, { title: 'two', excerpt: 'text' }]);
    expect((await cli('notifications', '--unread')).stdout).toMatch(
      /^\* +[0-9A-F]{8} .* api +two +text +sy attach surface:\d+$/m,
    );
  });

  it('are made, listed, read and cleared by the command line', async () => {
    await cli('notifications', 'clear', '--all');
    expect(await cli('notify', 'the build is done', '--surface', 'surface:1')).toMatchObject({ code: 0, stderr: '' });
    const list = await cli('notifications');
    const id = /^\* +([0-9A-F]{8}) .*the build is done/m.exec(list.stdout)?.[1] ?? expect.fail(list.stdout);
    expect((await cli('notifications', 'read', id.toLowerCase())).stdout).toBe('1 marked as read.\n');
    expect((await cli('notifications', '--unread')).stdout).toBe('There are no notifications.\n');
    expect((await cli('notifications', 'level', 'quiet', '--workspace', 'workspace:1')).stdout).toBe(
      'workspace:1: quiet\n',
    );
    expect((await cli('notifications', 'level')).stdout).toMatch(/^workspace:1 +quiet .*\nothers +normal *$/m);
    expect((await cli('notifications', 'deliveries')).stdout).toMatch(/^Nothing was delivered\./);
    expect(await cli('notifications', 'clear')).toMatchObject({ code: 2 });
    expect(await cli('notifications', 'clear', id)).toMatchObject({ code: 0 });
    expect((await cli('notifications')).stdout).toBe('There are no notifications.\n');
  });
});
