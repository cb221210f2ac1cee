import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Version of the tmux on PATH, or null. */
export function tmuxVersion() {
  const result = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : null;
}

/** A tmux server of its own, without the user's configuration. The first command starts it. */
export class Tmux {
  constructor(name, dir) {
    this.base = ['-S', `${dir}/${name}.tmux`, '-f', '/dev/null'];
    this.env = { ...process.env, TMUX: '', LANG: 'C.UTF-8', SHELL: '/bin/sh' };
  }

  async command(...args) {
    return (await run('tmux', [...this.base, ...args], { env: this.env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  }

  /** A detached session of the size that our terminals have, running one command. */
  async session(name, command, { history = 2000 } = {}) {
    await this.command('start-server', ';', 'set-option', '-g', 'history-limit', String(history), ';',
      'set-option', '-g', 'remain-on-exit', 'on', ';',
      'new-session', '-d', '-s', name, '-x', '200', '-y', '50', command); // biome-ignore format: one tmux command line
  }

  /** Looks at a screen until a text is on it. */
  async untilShown(target, text, pauseMs = 0) {
    for (;;) {
      if ((await this.command('capture-pane', '-p', '-t', target)).includes(text)) return;
      await delay(pauseMs);
    }
  }

  async serverPid() {
    return Number(await this.command('display-message', '-p', '#{pid}'));
  }

  /** The command line of a client with a screen. */
  attach(session) {
    return ['tmux', ...this.base, 'attach', '-t', session];
  }

  /** A control-mode client: commands as lines, replies and %output as lines. */
  control(session) {
    return new Control(spawn('tmux', [...this.base, '-C', 'attach', '-t', session], { env: this.env }));
  }

  async stop() {
    // Exits with an error when the server has ended by itself with its last session.
    await this.command('kill-server').catch(() => undefined);
  }
}

class Control {
  #child;
  #waiting = [];
  #block = null;
  #onOutput = () => undefined;

  constructor(child) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#read(line));
    // Attaching is itself answered with a block.
    this.ready = new Promise((resolve) => this.#waiting.push(resolve));
  }

  send(command) {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin.write(`${command}\n`);
    });
  }

  /** `fn` gets the rest of each `%output` line. */
  onOutput(fn) {
    this.#onOutput = fn;
  }

  async stop() {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await gone;
  }

  #read(line) {
    if (line.startsWith('%begin ')) this.#block = [];
    else if (line.startsWith('%end ') || line.startsWith('%error ')) {
      this.#waiting.shift()?.(this.#block);
      this.#block = null;
    } else if (this.#block !== null) this.#block.push(line);
    else if (line.startsWith('%output ')) this.#onOutput(line.slice(8));
  }
}

/** Resident bytes of a process. */
export function residentBytes(pid) {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) * 1024;
}
