// A tour on real input, on a yard of its own, in under a minute: `npm run demo`.
import { startYard, tempDir } from '@switchyard/testing';
import { NumberedLines, readAll } from './demo/numbered-lines.mjs';
import { flood, fullScreenProgram } from './demo/programs.mjs';
import { writeProject } from './demo/project.mjs';

const FLOOD_LINES = 2_000_000;
/** The flood is well under way, and far from over, when so many bytes have come. */
const KILL_AT_BYTES = 3_000_000;
const MiB = 1024 * 1024;

const started = performance.now();
let chapter = 0;
const say = (text) => console.log(`\n\x1b[1m${++chapter}. ${text}\x1b[0m`);
const show = (text) => console.log(text.trimEnd().replaceAll(/^/gm, '   │ '));
const note = (text) => console.log(`   ${text}`);

const folder = tempDir('sy-demo');
const yard = await startYard({ settings: { terminal: { log_budget_bytes: 256 * MiB } } });
try {
  await tour(await yard.client());
} finally {
  await yard.stop();
  folder.remove();
}
say('The yard is down');
note(`no process, socket or file of it is left; ${((performance.now() - started) / 1000).toFixed(0)} seconds in all`);

async function tour(client) {
  say('A yard of its own is up');
  show((await yard.cli('status')).stdout);
  const build = await realBuild(client);
  const screen = await fullScreen(client, build);
  await killInMidFlood(client, screen);
}

async function realBuild(client) {
  say('A real build in a terminal: five TypeScript packages, by the compiler');
  const argv = writeProject(folder.path);
  const terminal = await client.call('workspace.create', { title: 'demo', argv, remain_on_exit: true });
  const exit = await client.call('surface.wait', { surface_id: terminal.surface_id, exit: true, timeout_ms: 60_000 });
  show(await textOf(client, terminal.surface_id));
  note(`waited for its exit: code ${exit.exit_code}, after ${exit.offset} bytes of output`);
  if (exit.exit_code !== 0) throw new Error('the build failed');
  return terminal;
}

async function fullScreen(client, { surface_id }) {
  const program = fullScreenProgram(folder.path);
  say(`Beside it, in a split pane, a full-screen program: ${program.argv.join(' ')}`);
  const split = await client.call('surface.split', { surface_id, direction: 'right', argv: program.argv });
  await client.call('surface.wait', { surface_id: split.surface_id, pattern: program.shows, timeout_ms: 10_000 });
  show((await textOf(client, split.surface_id)).split('\n').slice(0, 12).join('\n'));
  const { panes } = await client.call('pane.list', { workspace_id: split.workspace_id });
  note(`two panes: ${panes.map(({ ref, columns, rows }) => `${ref} ${columns}×${rows}`).join(', ')}`);
  await client.call('surface.send_text', { surface_id: split.surface_id, text: program.quit });
  await client.call('surface.wait', { surface_id: split.surface_id, exit: true, timeout_ms: 10_000 }).catch(gone);
  note(`sent ${JSON.stringify(program.quit)}: it ended, and its pane closed`);
  return split;
}

async function killInMidFlood(client, { workspace_id }) {
  say(
    `${FLOOD_LINES.toLocaleString('en')} numbered lines as fast as they come, and SIGKILL for pty-host in the middle`,
  );
  const argv = flood(FLOOD_LINES);
  const { surface_id } = await client.call('surface.create', { workspace_id, argv, remain_on_exit: true });
  const exit = client.call('surface.wait', { surface_id, exit: true, timeout_ms: 120_000 });
  await untilOffset(client, surface_id, KILL_AT_BYTES);
  const pid = await yard.kill('pty-host');
  note(`killed pty-host ${pid}; a surface.wait of this connection is in flight and stays so`);
  const { pid: newPid } = await yard.untilRestarted('pty-host', pid);
  note(`the supervisor has started another: ${newPid}; it reads on where the checkpoint ends`);
  const { exit_code, offset } = await exit;
  note(`the wait is answered: exit code ${exit_code} at offset ${offset.toLocaleString('en')}`);

  say('The proof: every line, read back byte by byte');
  const lines = new NumberedLines();
  const bytes = await readAll(client, surface_id, (part) => lines.push(part));
  if (lines.fault !== null || lines.count !== FLOOD_LINES || bytes !== offset) {
    throw new Error(
      `lines are missing or doubled: ${lines.fault ?? `${lines.count} lines, ${bytes} of ${offset} bytes`}`,
    );
  }
  note(
    `${lines.count.toLocaleString('en')} lines, each exactly once and in order; ${bytes.toLocaleString('en')} bytes`,
  );
}

async function untilOffset(client, surface_id, wanted) {
  let at = 0;
  while (at < wanted) {
    const slice = await client.call('surface.read_output', { surface_id, offset: at, max_bytes: MiB, wait_ms: 5000 });
    if (slice.eof) throw new Error('the flood was over before its middle');
    at = slice.next_offset;
  }
}

async function textOf(client, surface_id) {
  return (await client.call('surface.read_text', { surface_id })).text;
}

/** Its surface may be gone before the wait for it arrives. */
function gone(error) {
  if (error.code !== 'not_found') throw error;
}
