import { spawn } from 'node-pty';

const SIZE = { cols: 200, rows: 50 };

/** A program in a PTY of ours, with nothing between: what a person's terminal is, and what a bare reader costs. */
export class Pty {
  #child;
  #listener = () => undefined;
  #buffered = '';

  constructor([file, ...args], env = process.env) {
    this.#child = spawn(file, args, { ...SIZE, name: 'xterm-256color', encoding: 'latin1', env });
    this.gone = new Promise((resolve) => this.#child.onExit(resolve));
    this.#child.onData((text) => {
      this.#buffered += text;
      this.#listener();
    });
  }

  write(text) {
    this.#child.write(text);
  }

  /** Resolves as soon as what has come since the last call matches. What has come by then is forgotten. */
  until(pattern) {
    return new Promise((resolve) => {
      this.#listener = () => {
        const match = pattern.exec(this.#buffered);
        if (match === null) return;
        this.#listener = () => undefined;
        this.#buffered = '';
        resolve(match);
      };
      this.#listener();
    });
  }

  async stop() {
    this.#child.kill('SIGKILL');
    await this.gone;
  }
}
