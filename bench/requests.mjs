import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectClient } from '@switchyard/client';
import { quantile, samples, timed } from './support/stats.mjs';

/** So many requests are in flight at once while counting requests a second; the default limit is 1024. */
const IN_FLIGHT = 64;
const FLOOR = 'floor: bare unix socket';

/** One request at a time, and many in flight, for a method of the gateway itself and one that goes over the bus. */
export async function requests({ client, tmux, tmuxName, dir, quick }) {
  const count = quick ? 500 : 5000;
  const floor = await bareSocket(dir);
  const ping = (target) => () => target.call('system.ping', {});
  const panes = () => client.call('pane.list', {});
  const rows = [
    ...(await compared('system.ping', count, ping(client), ping(floor.client), FLOOR)),
    ...(await compared('pane.list', count, panes, ping(floor.client), FLOOR)),
  ];
  await floor.stop();
  if (tmux) {
    await tmux.session('requests', 'exec sleep 1000');
    const control = tmux.control('requests');
    await control.ready;
    const list = () => control.send('list-panes');
    rows.push(...(await compared('pane.list', count, panes, list, `${tmuxName}, list-panes in control mode`)));
    await control.stop();
    await tmux.command('kill-session', '-t', 'requests');
  }
  return rows;
}

async function compared(name, count, ours, other, than) {
  const alone = [await samples(count, ours), await samples(count, other)];
  const many = [await perSecond(count * 4, ours), await perSecond(count * 4, other)];
  const latency = [0.5, 0.99].map((q) => ({
    what: `${name}, one at a time, p${q * 100}`,
    unit: 'ms',
    ours: quantile(alone[0], q),
    other: quantile(alone[1], q),
    than,
    better: 'lower',
  }));
  const rate = {
    what: `${name}, ${IN_FLIGHT} in flight`,
    unit: '/s',
    ours: many[0],
    other: many[1],
    than,
    better: 'higher',
  };
  return [...latency, rate];
}

async function perSecond(count, work) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  const { ms } = await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, worker)));
  return count / (ms / 1000);
}

async function bareSocket(dir) {
  const path = join(dir, 'floor.sock');
  const server = fork(fileURLToPath(new URL('./support/echo-server.mjs', import.meta.url)), [path]);
  await once(server, 'message');
  const client = await connectClient(path);
  return {
    client,
    stop: async () => {
      client.close();
      const gone = once(server, 'exit');
      server.disconnect();
      await gone;
    },
  };
}
