// A yard from the sources: compiles on every change and restarts the service whose code changed. `npm run dev`
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TSC = ['node_modules/typescript/bin/tsc', '-b'];
const CLI = 'apps/cli/dist/main.js';
/** The compiler writes the files of a package in one burst. */
const QUIET_MS = 300;
/** These are no services that can be restarted under a running yard: start again by hand. */
const BY_HAND = new Set(['cli', 'supervisor']);

const env = { ...process.env, SWITCHYARD_YARD: process.env.SWITCHYARD_YARD ?? 'dev' };
const node = (args, options) => spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit', ...options });

const built = spawnSync(process.execPath, TSC, { cwd: ROOT, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const compiler = node([...TSC, '--watch', '--preserveWatchOutput'], { stdio: ['ignore', 'inherit', 'inherit'] });
const yard = node([CLI, 'up', ...process.argv.slice(2)]);
yard.once('exit', (code) => {
  compiler.kill();
  process.exit(code ?? 1);
});
// Ctrl-C reaches the yard too; it ends first, and this process with it.
process.on('SIGINT', () => undefined);

const changed = new Set();
let timer;
for (const group of ['apps', 'libs']) {
  for (const name of readdirSync(`${ROOT}/${group}`)) {
    watch(`${ROOT}/${group}/${name}/dist`, { recursive: true }, () => {
      changed.add(group === 'libs' ? 'libs' : name);
      clearTimeout(timer);
      timer = setTimeout(restartChanged, QUIET_MS);
    });
  }
}

/** A change of a library concerns every service, but the keeper stays: it holds the terminals. */
function restartChanged() {
  const services = ['gateway', 'workspace-service', 'pty-host', 'detector', 'git-service', 'notifier'];
  const names = changed.has('libs') ? services : [...changed];
  changed.clear();
  for (const name of names) {
    if (BY_HAND.has(name)) console.log(`${name} changed: start again to use it`);
    else node([CLI, 'restart', name === 'broker' ? 'bus' : name]);
  }
}
