import { waitFor, within } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { CliInTerminal } from './pty-program.js';
import { useYard } from './use-yard.js';

const DETACH = '\x1d';

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

  const open = async (script: string) =>
    (await (await yard().client()).call('workspace.create', { argv: ['/bin/sh', '-c', script], title: 'api' }))
      .surface_id ?? expect.fail('it has a surface');
  const eventsOf = async (surfaceId: string, kind: string) => {
    const { events } = await (await yard().client()).call('events.read', { kinds: [kind], limit: 1000 });
    return events.filter((event) => event.surface_id === surfaceId).map(({ data }) => data);
  };

  it('are told once each though those who hand them over and take them die in mid-flood', async () => {
    const count = 12;
    const surface = await open(
      `read go; for i in $(seq ${count}); do printf '\\033]777;notify;n%s;text\\007' $i; sleep 0.1; done; read stop`,
    );
    await (await yard().client()).call('surface.send_key', { surface_id: surface, key: 'enter' });
    const told = () => eventsOf(surface, 'notification.created');
    await waitFor('some are told', async () => (await told()).length > 2);
    await Promise.all(
      ['notifier', 'pty-host'].map(async (service) => yard().untilRestarted(service, await yard().kill(service))),
    );
    await waitFor('all are told', async () => (await told()).length >= count);
    const titles = (await told()).map((data) => (data as { title: string }).title);
    expect(titles).toEqual(Array.from({ length: count }, (_, i) => `n${i + 1}`));
  });

  it('B17: a write to the clipboard without any client is kept as an event, and answered by nobody', async () => {
    const surface = await open(`printf '\\033]52;c;SGVsbG8=\\007\\033]52;c;?\\007'; exec cat -v`);
    await waitFor('it is told', async () => (await eventsOf(surface, 'notification.clipboard')).length > 0);
    expect(await eventsOf(surface, 'notification.clipboard')).toEqual([{ bytes: 5, text: 'Hello' }]);
    await yard().cli('send', surface, 'typed');
    expect(await yard().cli('wait', surface, '--text', '^typed')).toMatchObject({ code: 0 });
    expect((await yard().cli('read', surface)).stdout.trim()).toBe('typed');
  });

  it('D14: of one turn there is one, whatever its agent and its terminal add to it', async () => {
    const surface = await open(`read go; printf '\\033]9;waiting for your input\\007\\007'; printf said; read stop`);
    const client = await yard().client();
    const { workspace_id } = await client.call('surface.list', { surface_id: surface });
    const report = (state: 'working' | 'idle' | 'blocked') =>
      client.call('surface.report_agent_state', { workspace_id, surface_id: surface, state });
    await report('working');
    await report('idle');
    const told = () => eventsOf(surface, 'notification.created');
    await waitFor('its end is told', async () => (await told()).length === 1);
    await report('idle');
    await report('blocked');
    await report('idle');
    await client.call('surface.send_key', { surface_id: surface, key: 'enter' });
    await client.call('surface.wait', { surface_id: surface, pattern: 'said' });
    await report('working');
    await report('idle');
    await waitFor('the end of the next turn is told', async () => (await told()).length > 1);
    expect((await told()).map((data) => (data as { reason: string }).reason)).toEqual([
      'agent_finished',
      'agent_finished',
    ]);
  });

  it('are read by who is attached, and not delivered meanwhile', async () => {
    const surface = await open('read stop');
    const suppressed = async () =>
      ((await eventsOf(surface, 'notification.created')).at(-1) as { suppressed: string } | undefined)?.suppressed;
    const terminal = new CliInTerminal(['attach', surface], yard().env);
    const client = await yard().client();
    const notify = () => client.call('notification.create_for_surface', { surface_id: surface, title: 'look' });
    await waitFor('a person is there', async () => {
      await notify();
      return (await suppressed()) === 'present';
    });
    terminal.type(DETACH);
    expect(await within(10_000, 'attach ends', terminal.exited)).toBe(0);
    await notify();
    await waitFor('nobody is there', async () => (await suppressed()) === 'no_adapter');
  });
});
