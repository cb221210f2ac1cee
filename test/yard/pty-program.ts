import { createRequire } from 'node:module';
import { CLI, waitFor } from '@switchyard/testing';

interface Pty {
  readonly pid: number;
  onData(listener: (data: string) => void): void;
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void;
  write(data: string): void;
  resize(cols: number, rows: number): void;
  kill(signal?: string): void;
}

/** The keeper's own dependency: the only way to give the CLI a terminal to be used in. */
const { spawn } = createRequire(new URL('../../apps/pty-host/package.json', import.meta.url))('node-pty') as {
  spawn(file: string, args: string[], options: object): Pty;
};

/** The CLI in a terminal of its own, as a person uses it. */
export class CliInTerminal {
  readonly exited: Promise<number>;
  readonly #pty: Pty;
  #text = '';

  constructor(args: readonly string[], env: Readonly<Record<string, string>>, size = { cols: 90, rows: 30 }) {
    this.#pty = spawn(process.execPath, [CLI, ...args], { ...size, env, name: 'xterm-256color' });
    this.#pty.onData((data) => {
      this.#text += data;
    });
    this.exited = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  /** Everything written to the terminal so far. */
  get text(): string {
    return this.#text;
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(cols: number, rows: number): void {
    this.#pty.resize(cols, rows);
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  async shows(pattern: RegExp): Promise<void> {
    await waitFor(`the terminal shows ${pattern}`, () => pattern.test(this.#text), {
      seen: () => this.#text.slice(-2000),
    });
  }
}
