// A checked workload in a yard whose processes are killed, suspended and restarted at random.
//   npm run chaos -- --minutes 10 --surfaces 50 --seed 1
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runChaos } from './chaos.js';
import { TAMPERINGS } from './tamper.js';

const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    surfaces: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    bus: { type: 'string', default: 'embedded' },
    'no-upgrades': { type: 'boolean', default: false },
    tamper: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
});

if (given.help) {
  console.log(`npm run chaos -- [--minutes N] [--surfaces M] [--seed S] [--bus embedded|nats-server] [--no-upgrades] [--tamper KIND]…
The same seed gives the same actions in the same order. The last line is the verdict; the exit code is 1 when it is not
all zero, and then the folder of the yard with its logs stays and is named.
--no-upgrades leaves out the upgrades of the whole yard, to and fro between two installations.
--tamper puts a fault between the yard and the checks, which must be found: ${TAMPERINGS.join(', ')}.`);
} else {
  process.exitCode = await main();
}

async function main(): Promise<number> {
  const seed = positive('seed');
  const end = new AbortController();
  // Once: the run ends in order, and says what it has seen. Twice: as usual.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  const [minutes, surfaces] = [positive('minutes'), positive('surfaces')];
  const without = given['no-upgrades'] ? ', no upgrades' : '';
  console.log(`chaos: ${minutes} minutes, ${surfaces} surfaces, seed ${seed}, broker ${given.bus}${without}`);
  const ledger = await runChaos({
    minutes,
    surfaces,
    seed,
    bus: given.bus === 'nats-server' ? 'nats-server' : 'embedded',
    upgrades: !given['no-upgrades'],
    tamper: TAMPERINGS.filter((kind) => given.tamper.includes(kind)),
    say: (line) => console.log(line),
    until: end.signal,
  });
  for (const line of ledger.said) console.log(`FAULT ${line}`);
  console.log(`load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}; ${ledger.deedsLine}`);
  console.log(ledger.faultsLine);
  console.log(ledger.verdict(seed));
  return ledger.isClean ? 0 : 1;
}

function positive(name: 'minutes' | 'surfaces' | 'seed'): number {
  const value = Number(given[name]);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} must be a number above 0`);
  return value;
}
