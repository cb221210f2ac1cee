// Measures a yard of its own beside tmux and stated floors. `npm run bench -- --help`
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startYard, tempDir } from '@switchyard/testing';
import { detection } from './detection.mjs';
import { events } from './events.mjs';
import { git } from './git.mjs';
import { idle } from './idle.mjs';
import { attach, echo, wait } from './latency.mjs';
import { memory } from './memory.mjs';
import { requests } from './requests.mjs';
import { cliCall, coldStart } from './start.mjs';
import { met, ratio, textTable } from './support/report.mjs';
import { acceptResults } from './support/results-page.mjs';
import { Tmux, tmuxVersion } from './support/tmux.mjs';
import { throughput } from './throughput.mjs';

const BENCHES = {
  requests,
  echo,
  attach,
  wait,
  'cold-start': coldStart,
  'cli-call': cliCall,
  memory,
  idle,
  throughput,
  detection,
  git,
  events,
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
    accept: { type: 'boolean', default: false },
    bus: { type: 'string', default: 'embedded' },
    help: { type: 'boolean', default: false },
  },
});

const rounds = Number(options.rounds);

if (options.help) {
  console.log(`npm run bench -- [--quick] [--rounds N] [--bus embedded|nats-server] [--json FILE] [--accept] [NAME…]
names: ${Object.keys(BENCHES).join(', ')}; default: all. --accept: results go to docs/benchmarks.md`);
} else {
  await main(positionals.length > 0 ? positionals : Object.keys(BENCHES));
}

async function main(names) {
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0)
    throw new Error(`no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds is a number of 1 or more');
  const tmuxName = tmuxVersion();
  const than = tmuxName ?? 'no tmux: nothing to compare with but floors';
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, bus ${options.bus}, ${than}, medians of ${rounds}`;
  console.log(`${machine}\n`);
  const rows = [];
  for (const name of names) {
    console.error(`${name} …`);
    rows.push(...(await measured(BENCHES[name], tmuxName)));
  }
  console.log(textTable(rows));
  const result = {
    machine,
    tmux: tmuxName,
    quick: options.quick,
    rounds,
    rows: rows.map((row) => ({ ...row, ratio: ratio(row), met: met(row) })),
  };
  if (options.json) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  if (options.accept) acceptResults(result);
}

/** Each bench has a yard and a tmux server of its own, so that none inherits another's garbage. */
async function measured(bench, tmuxName) {
  const folder = tempDir('sy-bench');
  const tmux = tmuxName === null ? null : new Tmux('bench', folder.path);
  const yard = await startYard({ bus: options.bus });
  try {
    // tmux ends with its last session: one stays.
    await tmux?.session('stay', 'exec sleep 100000');
    const kit = {
      yard,
      client: await yard.client(),
      tmux,
      tmuxName,
      dir: folder.path,
      quick: options.quick,
      rounds,
      bus: options.bus,
    };
    return await bench(kit);
  } finally {
    await tmux?.stop();
    await yard.stop();
    folder.remove();
  }
}
