import { bareBroker, bareSocket } from './support/floors.mjs';
import { inTurns, quantileRows } from './support/rounds.mjs';
import { median, samples, timed } from './support/stats.mjs';

/** So many requests are in flight at once while counting requests a second; the default limit is 1024. */
const IN_FLIGHT = 64;

/** One request at a time, and many in flight, for a method of the gateway itself and one that goes over the bus. */
export async function requests({ client, tmux, tmuxName, dir, quick, rounds }) {
  const count = quick ? 500 : 2000;
  const floors = {
    socket: await bareSocket(dir),
    embedded: await bareBroker('embedded'),
    nats: await bareBroker('nats-server'),
  };
  const control = tmux === null ? null : await listing(tmux);
  const asked = {
    ping: () => client.call('system.ping', {}),
    panes: () => client.call('pane.list', {}),
    ...Object.fromEntries(Object.entries(floors).flatMap(([name, floor]) => (floor ? [[name, floor.ask]] : []))),
    ...(control && { tmux: control.ask }),
  };
  const sides = (measure) => Object.fromEntries(Object.entries(asked).map(([name, ask]) => [name, () => measure(ask)]));
  const alone = await inTurns(
    rounds,
    sides((ask) => samples(count, ask)),
  );
  const many = await inTurns(
    rounds,
    sides((ask) => perSecond(count * 4, ask)),
  );
  await control?.stop();
  for (const floor of Object.values(floors)) await floor?.stop();

  const rows = (ours, name, side, { than, target }) => {
    if (alone[side] === undefined) return [];
    const rate = { what: `${name}, ${IN_FLIGHT} in flight`, unit: '/s', better: 'higher', ...(target && { target }) };
    return [
      ...quantileRows(`${name}, one at a time`, alone[ours], alone[side], { than }),
      { ...rate, ours: median(many[ours]), other: median(many[side]), than },
    ];
  };
  return [
    ...rows('ping', 'system.ping', 'socket', { than: floors.socket.name }),
    ...rows('ping', 'system.ping', 'nats', { than: floors.nats?.name, target: 0.8 }),
    ...rows('ping', 'system.ping', 'embedded', { than: floors.embedded.name, target: 0.8 }),
    ...rows('panes', 'pane.list', 'nats', { than: floors.nats?.name }),
    ...rows('panes', 'pane.list', 'embedded', { than: floors.embedded.name }),
    ...rows('panes', 'pane.list', 'tmux', { than: `${tmuxName}, list-panes in control mode` }),
  ];
}

async function listing(tmux) {
  await tmux.session('requests', 'exec sleep 1000');
  const control = tmux.control('requests');
  await control.ready;
  return {
    ask: () => control.send('list-panes'),
    stop: async () => {
      await control.stop();
      await tmux.command('kill-session', '-t', 'requests');
    },
  };
}

async function perSecond(count, work) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  const { ms } = await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, worker)));
  return count / (ms / 1000);
}
