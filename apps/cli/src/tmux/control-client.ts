import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { ControlDecoder, type ControlEvent } from '../domain/tmux-control.js';

/** What is not the answer to a command. */
export type ControlNews = Exclude<ControlEvent, { kind: 'reply' }>;

export interface ControlOptions {
  /** Path of the server's socket. */
  readonly socket: string;
  /** Session to attach to, by any of its panes. */
  readonly target: string;
  readonly onNews: (news: ControlNews) => void;
}

interface Waiting {
  readonly resolve: (lines: readonly Buffer[]) => void;
  readonly reject: (error: Error) => void;
}

/** A tmux server takes milliseconds; one that is stopped must not hang us. */
const ANSWER_MS = 10_000;

/** The environment of a program that may itself run inside tmux: it says nothing about the server we mean. */
export function tmuxEnv(): NodeJS.ProcessEnv {
  const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
  return env;
}

/** A client of a tmux server in control mode. It leaves the sizes of windows alone. */
export class ControlClient {
  /** Resolves when the server has ended, or our session. */
  readonly closed: Promise<void>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #decoder = new ControlDecoder();
  readonly #onNews: (news: ControlNews) => void;
  /** The first answer is that of the attaching itself. */
  readonly #waiting: Waiting[] = [];
  readonly #attached: Promise<unknown>;

  constructor({ socket, target, onNews }: ControlOptions) {
    this.#onNews = onNews;
    const args = ['-S', socket, '-C', 'attach-session', '-f', 'ignore-size', '-t', target];
    this.#child = spawn('tmux', args, { env: tmuxEnv(), stdio: ['pipe', 'pipe', 'pipe'] });
    this.#attached = this.#nextAnswer('attach-session');
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#child.stdin.on('error', () => undefined); // it has left: `closed` says so
    let said = '';
    this.#child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString('utf8')}`.slice(0, 1000);
    });
    this.closed = new Promise((resolve) => {
      const end = (error?: Error) => {
        const reason = error?.message ?? (said.trim() || 'the tmux server has ended');
        for (const { reject } of this.#waiting.splice(0)) reject(new Error(reason));
        resolve();
      };
      this.#child.once('error', end);
      this.#child.once('close', () => end());
    });
  }

  /** Resolves when attached. @throws what tmux said instead */
  async ready(): Promise<void> {
    await this.#attached;
  }

  /**
   * Runs one tmux command. What panes printed before its answer has been told before it.
   *
   * @param command one line; the caller has quoted what needs it
   * @param atOnce gets the answer before anything is told that came after it
   * @throws what tmux said against it
   */
  run(command: string, atOnce: (lines: readonly Buffer[]) => void = () => undefined): Promise<readonly Buffer[]> {
    const answer = this.#nextAnswer(command, atOnce);
    this.#child.stdin.write(`${command}\n`);
    return answer;
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
  }

  #nextAnswer(
    command: string,
    atOnce: (lines: readonly Buffer[]) => void = () => undefined,
  ): Promise<readonly Buffer[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`tmux did not answer ${command} within ${ANSWER_MS} ms`));
        this.close();
      }, ANSWER_MS);
      const settle = (done: () => void) => {
        clearTimeout(timer);
        done();
      };
      this.#waiting.push({
        resolve: (lines) => {
          atOnce(lines);
          settle(() => resolve(lines));
        },
        reject: (error) => settle(() => reject(error)),
      });
    });
  }

  #receive(chunk: Buffer): void {
    for (const event of this.#decoder.push(chunk)) {
      if (event.kind !== 'reply') {
        this.#onNews(event);
        continue;
      }
      const waiting = this.#waiting.shift();
      const { ok, lines } = event;
      if (ok) waiting?.resolve(lines);
      else waiting?.reject(new Error(lines.map((line) => line.toString('utf8')).join(' ')));
    }
  }
}
