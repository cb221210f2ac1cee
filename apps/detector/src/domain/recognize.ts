import type { Evidence, ForegroundProcess, ScreenSample } from '@switchyard/agents';
import { runsScript } from '@switchyard/agents';
import { type Engine, seenOn } from './engine.js';
import { viewOf } from './screen/view.js';

/** Which agent it is, and how that is known. */
export interface Recognition {
  readonly engine: Engine;
  readonly via: 'process' | 'hint' | 'screen';
  readonly evidence: Evidence;
}

/**
 * Programs behind which another one may run that this system does not see. Of any other program it is known what runs,
 * and a screen that looks like an agent is a picture of one: a transcript in a pager, a recording played back.
 */
const HIDES =
  /^(?:tmux(?:: client)?|screen|zellij|dtach|abduco|ssh|autossh|mosh(?:-client)?|et|docker|podman|nerdctl|kubectl|oc|limactl|colima|orb|vagrant|multipass|wsl|incus|lxc|machinectl|chroot|unshare|nsenter|bwrap|firejail|sandbox-exec|distrobox|toolbox|devcontainer|flatpak|script|expect|sudo|su|doas|srt)$/;

/** What a script may be written for. Other interpreters run whole programs, players of recordings among them. */
const SHELLS = /(?:^|\/)-?(?:ba|da|z|k|fi|a)?sh$/;
/** A shell waits for a command where the cursor is: whatever agent is to be seen above has ended, or was printed. */
const SHELL_PROMPT = /^\S*[\w~\]):]\S*\s?[$#%](?:\s|$)/u;

/** The last line of a pager or an editor: what is above it stands in a file. */
const FILE_STATUS = /^\s*(?::|\(END\)|.*\(END\)|--More--.*|lines \d+-\d+\b.*|-- (?:INSERT|VISUAL|REPLACE)\b.*)\s*$/u;
/** What editors draw beyond the end of a file. */
const BEYOND_FILE = /^\s*~$/u;
/** A multiplexer draws a line of its own below. */
const STATUS_ROWS = 2;

/** Longest text of a screen that is kept as evidence of who is on it. */
const MAX_EVIDENCE_CHARS = 120;

/**
 * The agent that runs in the foreground: by its hint, by its process, or, where the process may hide another, by the
 * screen. The same sample always gives the same agent, whatever the order of the engines.
 */
export function recognize(engines: readonly Engine[], sample: ScreenSample): Recognition | null {
  const sorted = [...engines].sort((a, b) => (a.agent < b.agent ? -1 : 1));
  return byHint(sorted, sample.foreground) ?? byProcess(sorted, sample.foreground) ?? byScreen(sorted, sample);
}

function byHint(engines: readonly Engine[], foreground: ForegroundProcess | null): Recognition | null {
  const hint = foreground?.hint?.trim().toLowerCase() ?? '';
  const engine = hint === '' ? undefined : engines.find(({ hints }) => hints.includes(hint));
  return engine === undefined ? null : { engine, via: 'hint', evidence: { kind: 'hint', rule: null, text: hint } };
}

function byProcess(engines: readonly Engine[], foreground: ForegroundProcess | null): Recognition | null {
  for (const name of foreground?.names ?? []) {
    const engine = engines.find(({ processNames }) => processNames.includes(name));
    if (engine !== undefined) return { engine, via: 'process', evidence: { kind: 'process', rule: null, text: name } };
  }
  return null;
}

function byScreen(engines: readonly Engine[], sample: ScreenSample): Recognition | null {
  if (!mayHide(sample.foreground) || atShellPrompt(sample) || showsFile(sample)) return null;
  const view = viewOf(sample);
  for (const engine of engines) {
    const seen = seenOn(engine, view);
    const text = seen?.slice(0, MAX_EVIDENCE_CHARS) ?? '';
    if (seen !== null) return { engine, via: 'screen', evidence: { kind: 'screen', rule: null, text } };
  }
  return null;
}

/** Whether another program may be behind the one that is seen: nothing is known of it, it leads elsewhere, or it is a script. */
export function mayHide(foreground: ForegroundProcess | null): boolean {
  if (foreground === null) return true;
  const { names, argv } = foreground;
  return names.some((name) => HIDES.test(name)) || (SHELLS.test(argv[0] ?? '') && runsScript(argv));
}

function atShellPrompt({ cursor, lines, foreground }: ScreenSample): boolean {
  return foreground !== null && cursor.visible && SHELL_PROMPT.test(lines[cursor.row] ?? '');
}

function showsFile({ lines }: ScreenSample): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.slice(-STATUS_ROWS).some((line) => FILE_STATUS.test(line))) return true;
  return filled.filter((line) => BEYOND_FILE.test(line)).length > 1;
}
