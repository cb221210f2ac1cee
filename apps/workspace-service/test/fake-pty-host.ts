import { fail, type Result } from '@switchyard/protocol';
import type { Answers, FakeBus } from '@switchyard/testing';

type Status = Result<'terminal.list'>['terminals'][number];
type Exit = NonNullable<Status['exit']>;
type Opened = { argv: string[]; cwd: string; env: Record<string, string>; cols: number; rows: number };

interface Pending {
  readonly kind: 'pattern' | 'exit';
  readonly pattern: RegExp;
  answer(result: Result<'terminal.wait'>): void;
}

/** A terminal that only remembers: what is typed is its output. */
interface Terminal {
  status: Status;
  opened: Opened;
  text: string;
  pending: Set<Pending>;
  resizes: { cols: number; rows: number }[];
}

/** Stands for keeper and pty-host together: outlives the service under test, as they do. */
export class FakePtyHost {
  readonly terminals = new Map<string, Terminal>();
  readonly closed: { surface_id: string; kill_survivors: boolean }[] = [];
  readonly forgotten: string[] = [];
  /** Surfaces whose program was asked for, whatever came of it. */
  readonly asked = new Set<string>();
  /** How many programs were started. */
  spawns = 0;
  /** Called before each start, to make it fail or wait. */
  onOpen: (params: Opened & { surface_id: string }) => void | Promise<void> = () => undefined;
  /** Called before anything is typed, to make it fail or wait. */
  onInput: (surfaceId: string, typed: string) => void | Promise<void> = () => undefined;
  /** Ports that the next look finds. */
  readonly listens = new Map<string, Result<'terminal.ports'>['ports']>();
  /** Looks that nobody waited for. */
  readonly kicked: string[] = [];
  /** Whether the directory that a program is in was deleted. */
  isGone: (surfaceId: string) => boolean = () => false;
  bus: FakeBus | undefined;
  #pid = 1000;

  readonly answers: Answers = {
    'terminal.open': async (params) => {
      this.asked.add(params.surface_id);
      await this.onOpen(params);
      const known = this.terminals.get(params.surface_id);
      if (known && known.status.exit === null) return { pid: known.status.pid, tty: known.status.tty, offset: 0 };
      this.spawns++;
      const status = this.#status(params);
      const text = known?.text ?? '';
      const { surface_id, ...opened } = params;
      this.terminals.set(surface_id, { status, opened, text, pending: new Set(), resizes: [] });
      return { pid: status.pid, tty: status.tty, offset: text.length };
    },
    'terminal.close': ({ surface_id, kill_survivors = false }) => {
      const terminal = this.#get(surface_id);
      this.closed.push({ surface_id, kill_survivors });
      terminal.status.exit ??= this.#exit(terminal, null, 'SIGHUP');
      this.#answerExit(terminal);
      return { exit: terminal.status.exit, survivors: [] };
    },
    'terminal.forget': ({ surface_id }) => {
      this.forgotten.push(surface_id);
      return { forgotten: this.terminals.delete(surface_id) };
    },
    'terminal.list': () => ({ terminals: [...this.terminals.values()].map(({ status }) => ({ ...status })) }),
    'terminal.get': ({ surface_id }) => ({
      ...this.#get(surface_id).status,
      offset: this.#get(surface_id).text.length,
    }),
    'terminal.directory': ({ surface_id }) => {
      const { status, opened } = this.#get(surface_id);
      if (status.exit !== null) return fail('terminal_exited', 'It has ended', { surface_id });
      return { pid: status.pid, path: opened.cwd, exists: !this.isGone(surface_id) };
    },
    'terminal.ports': ({ surface_id, later = false }) => {
      const { status } = this.#get(surface_id);
      if (status.exit !== null) return fail('terminal_exited', 'It has ended', { surface_id });
      if (later) this.kicked.push(surface_id);
      return { ports: this.listens.get(surface_id) ?? [] };
    },
    'terminal.resize': ({ surface_id, cols, rows }) => {
      const terminal = this.#get(surface_id);
      terminal.resizes.push({ cols, rows });
      Object.assign(terminal.status, { cols, rows });
      return { cols, rows };
    },
    'terminal.send_text': async ({ surface_id, text }) => {
      await this.onInput(surface_id, text);
      this.print(surface_id, text);
      return { bytes: text.length, offset: this.#get(surface_id).text.length, bracketed: false };
    },
    'terminal.send_key': async ({ surface_id, key }) => {
      await this.onInput(surface_id, `<${key}>`);
      if (key === 'nonsense') return fail('invalid_params', 'Unknown key', { key });
      this.print(surface_id, key === 'enter' ? '<enter>\n> ' : `<${key}>`);
      return { bytes: 1, offset: this.#get(surface_id).text.length };
    },
    'terminal.write': async ({ surface_id, data }) => {
      const typed = Buffer.from(data, 'base64').toString('utf8');
      await this.onInput(surface_id, typed);
      this.print(surface_id, typed);
      return { bytes: data.length, offset: this.#get(surface_id).text.length };
    },
    'terminal.read_text': ({ surface_id }) => {
      const { text, status } = this.#get(surface_id);
      return { text, offset: text.length, rev: text.length, cols: status.cols, rows: status.rows };
    },
    'terminal.read_output': ({ surface_id, offset = 0 }) => {
      const { text, status } = this.#get(surface_id);
      const data = Buffer.from(text.slice(offset)).toString('base64');
      const end = { offset, next_offset: text.length, data, eof: status.exit !== null };
      return status.exit ? { ...end, exit: status.exit } : end;
    },
    'terminal.wait': (params, { signal }) => this.#wait(params, signal),
    'terminal.snapshot': ({ surface_id }) => {
      const { status, text } = this.#get(surface_id);
      return { data: '', restore: '', offset: text.length, cols: status.cols, rows: status.rows };
    },
    'terminal.clear_history': ({ surface_id }) => ({ offset: this.#get(surface_id).text.length }),
  };

  /** The program prints. */
  print(id: string, text: string): void {
    const terminal = this.#get(id);
    terminal.text += text;
    for (const pending of [...terminal.pending]) {
      const match = pending.kind === 'pattern' ? pending.pattern.exec(terminal.text)?.[0] : undefined;
      if (match === undefined) continue;
      terminal.pending.delete(pending);
      pending.answer({ waited: true, match, offset: terminal.text.length });
    }
  }

  /** The program ends by itself, and the pty-host says so. */
  exit(id: string, code = 0, more: Partial<Exit> = {}): Exit {
    const terminal = this.#get(id);
    const exit = { ...this.#exit(terminal, code, null), ...more };
    terminal.status.exit = exit;
    this.#answerExit(terminal);
    this.bus?.emit('terminal.exited', { surface_id: id, exit });
    return exit;
  }

  opened(id: string): Opened {
    return this.#get(id).opened;
  }

  size(id: string): { cols: number; rows: number } {
    const { cols, rows } = this.#get(id).status;
    return { cols, rows };
  }

  /** Everything is gone, as after a reboot. */
  reboot(): void {
    this.terminals.clear();
  }

  #get(id: string): Terminal {
    return this.terminals.get(id) ?? fail('not_found', 'No such terminal', { surface_id: id });
  }

  #status({ surface_id, cols, rows }: Opened & { surface_id: string }): Status {
    const pid = this.#pid++;
    const names = { title: null, cwd: null, tty: `/dev/pts/${pid}` };
    return { surface_id, pid, cols, rows, offset: 0, ...names, exit: null, ports: null };
  }

  #exit(terminal: Terminal, exit_code: number | null, signal: string | null): Exit {
    return { exit_code, signal, offset: terminal.text.length, at: Date.now() };
  }

  #answerExit({ pending, status, text }: Terminal): void {
    for (const one of [...pending]) {
      if (one.kind !== 'exit' || !status.exit) continue;
      pending.delete(one);
      one.answer({ waited: true, exit: status.exit, offset: text.length });
    }
  }

  #wait(
    { surface_id, pattern, timeout_ms }: { surface_id: string; pattern?: string; timeout_ms: number },
    signal: AbortSignal,
  ): Promise<Result<'terminal.wait'>> | Result<'terminal.wait'> {
    const terminal = this.#get(surface_id);
    const { text, status } = terminal;
    const regex = new RegExp(pattern ?? '$^');
    const match = pattern === undefined ? undefined : regex.exec(text)?.[0];
    if (match !== undefined) return { waited: false, match, offset: text.length };
    if (pattern === undefined && status.exit) return { waited: false, exit: status.exit, offset: text.length };
    if (timeout_ms === 0) return fail('timeout', 'Timed out', { timeout_ms });
    return new Promise((resolve, reject) => {
      const kind = pattern === undefined ? 'exit' : 'pattern';
      terminal.pending.add({ kind, pattern: regex, answer: resolve });
      signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true });
    });
  }
}
