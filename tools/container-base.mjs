// Makes the image that container tests start from, without any image registry: Debian from the mirror that this machine's
// own apt uses, and the node that runs this script. Prints the image's name. `node tools/container-base.mjs`
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

/** Beside Debian's smallest set: brokers, what git-service calls, what programs in terminals want, the way in by SSH. */
const PACKAGES = ['nats-server', 'git', 'openssh-server', 'openssh-client', 'python3-minimal', 'iproute2', 'procps'];
/** What the copied node is linked with; its build asks for the C library of this machine's release or an older one. */
const FOR_NODE = ['libstdc++6'];
/** Nobody reads manuals in a test; keys are made by who starts sshd, since two machines must not have the same. */
const NOT_IN_IMAGE = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'];
const KEYS = 'etc/ssh/ssh_host_*';
/** The user that terminals and SSH sessions belong to where a test does not want root. */
const USER = 'yard';
/** 400 MB while it is made, and as much again to spare. Memory is three times as fast: dpkg waits for the disk a lot. */
const ROOM_BYTES = 1024 ** 3;
/** Takes 50 s in memory and two minutes on a slow disk. A mirror that hangs must not hang the tests. */
const LIMIT_MS = 5 * 60_000;
const MOST_OUTPUT_BYTES = 16 * 1024 ** 2;

/** Ends when node does not run there: better now than in every test. */
const FINISH = `
rm -rf ${NOT_IN_IMAGE.map((path) => `/${path}`).join(' ')} /${KEYS}
mkdir -p /run/sshd
useradd --create-home --shell /bin/bash ${USER}
/usr/local/bin/node --version
nats-server --version`;

const { values: options } = parseArgs({ options: { name: { type: 'boolean' } } });
const run = promisify(execFile);
const tooLate = AbortSignal.timeout(LIMIT_MS);

const release = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
const image = `switchyard-test-base:${checksum()}`;

try {
  if (!options.name && !(await exists())) await make();
  console.log(image);
} catch (error) {
  // One line: the tests show it where they are skipped.
  console.error(`the image for container tests cannot be made: ${lastLine(error)}`);
  process.exitCode = 1;
}

/** Whatever changes the image changes its name. */
function checksum() {
  const inputs = [readFileSync(fileURLToPath(import.meta.url)), release, process.arch, process.version];
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(input).update('\0');
  return hash.digest('hex').slice(0, 12);
}

async function exists() {
  return run('docker', ['image', 'inspect', image], { signal: tooLate }).then(
    () => true,
    (error) => {
      if (/no such image/i.test(error.stderr)) return false;
      throw error;
    },
  );
}

async function make() {
  const started = performance.now();
  const folder = mkdtempSync(join(roomyFolder(), 'sy-image-'));
  const root = join(folder, 'root');
  try {
    await debootstrap(root);
    copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
    await run('chroot', [root, '/bin/sh', '-ec', FINISH], { signal: tooLate });
    await importImage(root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.error(`made ${image} in ${Math.round((performance.now() - started) / 1000)} s`);
}

async function debootstrap(root) {
  const include = `--include=${[...PACKAGES, ...FOR_NODE].join(',')}`;
  const args = ['--variant=minbase', include, release, root, await mirror()];
  await run('debootstrap', args, { signal: tooLate, maxBuffer: MOST_OUTPUT_BYTES, env: await environment() });
}

/** Where this machine gets Debian from. */
async function mirror() {
  const query = ['indextargets', '--format', '$(RELEASE) $(REPO_URI)', 'Created-By: Packages'];
  const { stdout } = await run('apt-get', query, { signal: tooLate });
  const line = stdout.split('\n').find((text) => text.startsWith(`${release} `));
  if (line === undefined) throw new Error(`apt has no source of ${release} (apt-get update?)`);
  return line.slice(release.length + 1);
}

/** debootstrap fetches by itself: it is told of the proxy that apt uses. */
async function environment() {
  const { stdout } = await run('apt-config', ['shell', 'proxy', 'Acquire::http::Proxy'], { signal: tooLate });
  const proxy = /^proxy='(.+)'$/m.exec(stdout)?.[1];
  return proxy === undefined ? process.env : { ...process.env, http_proxy: proxy };
}

function roomyFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize > ROOM_BYTES) return '/dev/shm';
  } catch {
    // No memory file system here: the folder for temporary files is as good, only slower.
  }
  return tmpdir();
}

async function importImage(root) {
  const settings = [
    '--change',
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    '--change',
    'ENV LANG=C.UTF-8',
  ];
  const pack = spawn('tar', ['--numeric-owner', '--one-file-system', '-C', root, '-c', '.'], {
    signal: tooLate,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const take = spawn('docker', ['import', ...settings, '-', image], {
    signal: tooLate,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await Promise.all([pipeline(pack.stdout, take.stdin), ended(pack, 'tar'), ended(take, 'docker import')]);
}

function ended(child, name) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}`))));
  });
}

function lastLine(error) {
  const text = [error.stderr, error.stdout, error.message].find((each) => each?.trim()) ?? String(error);
  return text.trim().split('\n').at(-1);
}
