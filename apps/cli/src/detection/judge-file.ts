import { readFile, stat } from 'node:fs/promises';
import type { ForegroundProcess } from '@switchyard/agents';
import { type Engine, evaluate, sampleOfText } from '@switchyard/detector/engine';
import { isCast, parseCast } from '../domain/cast.js';
import { replay, type Seen } from './replay.js';

/** Hours of a recording; more is another kind of file, and would only fill the memory. */
const FILE_LIMIT_BYTES = 256 * 1024 * 1024;
/** After the last output a state may still change: everything that is smoothed has settled by then. */
const REST_S = 3;

/** What is known of a file besides what is in it. */
export interface FileFacts {
  readonly agent?: string | undefined;
  readonly title?: string | undefined;
  readonly process?: string | undefined;
}

export interface JudgedScreen {
  readonly kind: 'screen';
  readonly agent: string | null;
  readonly state: Seen['state'];
  /** The rule that decided; null: none did. */
  readonly rule: string | null;
  readonly question: { readonly kind: string; readonly excerpt: string } | null;
}

export interface JudgedRecording {
  readonly kind: 'recording';
  /** Until the last event. */
  readonly seconds: number;
  readonly changes: readonly Seen[];
}

/**
 * Says what a file shows of an agent: the text of a screen, or an asciicast.
 * @throws Error when it cannot be read, is too large, or is a recording of another version
 */
export async function judgeFile(
  file: string,
  facts: FileFacts,
  engines: readonly Engine[],
): Promise<JudgedScreen | JudgedRecording> {
  const { size } = await stat(file);
  if (size > FILE_LIMIT_BYTES) throw new Error(`over ${FILE_LIMIT_BYTES} bytes`);
  const text = await readFile(file, 'utf8');
  return isCast(text) ? judgeRecording(text, facts, engines) : judgeScreen(text, facts, engines);
}

function judgeScreen(text: string, facts: FileFacts, engines: readonly Engine[]): JudgedScreen {
  const sample = { ...sampleOfText({ ...facts, text }), foreground: foregroundOf(facts) };
  const { agent, state, rule, question } = evaluate(engines, sample);
  return { kind: 'screen', agent, state, rule, question };
}

function judgeRecording(text: string, facts: FileFacts, engines: readonly Engine[]): JudgedRecording {
  const cast = parseCast(text);
  const seconds = cast.events.at(-1)?.t ?? 0;
  const foreground = foregroundOf(facts);
  const scene = { ...cast, duration: seconds + REST_S, foregroundAt: () => foreground };
  return { kind: 'recording', seconds, changes: replay(scene, engines) };
}

/** An agent that was named counts as if its process had said so (SWITCHYARD_AGENT). */
function foregroundOf({ agent, process }: FileFacts): ForegroundProcess | null {
  if (agent === undefined && process === undefined) return null;
  const names = process === undefined ? [] : [process.toLowerCase()];
  return { pid: 0, pgid: 0, start_time: 0, names, argv: process === undefined ? [] : [process], hint: agent ?? null };
}
