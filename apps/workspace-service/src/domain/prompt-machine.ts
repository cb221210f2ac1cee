import type { AgentState } from '@switchyard/agents';
import { appeared, hasLeft, type Look, type Marker } from './prompt-screen.js';

/** How long a paste may take to show: an agent that is busy paints late; a plain program may never echo it. */
const SHOW_KNOWN_MS = 5000;
const SHOW_PASTED_MS = 2000;
const SHOW_TYPED_MS = 300;
/**
 * Composers that gather a paste take an Enter that comes too soon for a part of it. A screen that is quiet this long has
 * taken it in; one that is never quiet (a spinner) gets the longer time.
 */
const QUIET_MS = 120;
const NEVER_QUIET_MS = 700;
/** How long Enter may take to show an effect before it is pressed again, and then before we give up. */
const ENTER_PATIENCE_MS = 1200;
const LAST_PATIENCE_MS = 1800;
/** Screens are looked at when they change; this is for marks that are lost. */
const LOOK_MS = 250;
const MOST_ENTERS = 2;

/** What does not change while a prompt is written. */
export interface PromptRules {
  /** The program is a known agent. */
  readonly known: boolean;
  /** The program knows that it was a paste. */
  readonly bracketed: boolean;
  /** The text can be recognised on a screen. */
  readonly recognisable: boolean;
  /** Enter is pressed even if that answers a dialog. */
  readonly force: boolean;
}

/** What is known at one moment. */
export interface PromptView {
  readonly at: number;
  readonly look: Look;
  readonly state: AgentState | null;
}

type Phase =
  | { readonly is: 'composing'; readonly since: number }
  | { readonly is: 'settling'; readonly since: number; readonly quietSince: number; readonly text: string }
  | { readonly is: 'entered'; readonly since: number; readonly state: AgentState | null };

export interface PromptMachine {
  readonly rules: PromptRules;
  /** Before anything was written. */
  readonly before: Look;
  readonly phase: Phase;
  /** In which form the composer shows the prompt; null: it does not, or that cannot be told. */
  readonly marker: Marker | null;
  /** The screen at the last Enter. */
  readonly composed: Look;
  readonly enters: number;
}

/** How the writing of a prompt ends. */
export type PromptEnd = 'submitted' | 'no_change' | 'dialog';

/** `look`: again at the next change, at the latest after `ms`. */
export type PromptStep =
  | { readonly do: 'look'; readonly ms: number }
  | { readonly do: 'enter' }
  | { readonly do: 'end'; readonly end: PromptEnd };

export interface Stepped {
  readonly machine: PromptMachine;
  readonly step: PromptStep;
}

/** The text has just been written. */
export function promptMachine(rules: PromptRules, before: Look, at: number): PromptMachine {
  return { rules, before, phase: { is: 'composing', since: at }, marker: null, composed: before, enters: 0 };
}

/** Whether the composer was seen to hold the prompt. */
export const isSeen = ({ marker }: PromptMachine): boolean => marker !== null;

/** What to do about what is seen. */
export function stepPrompt(machine: PromptMachine, view: PromptView): Stepped {
  const { phase } = machine;
  if (phase.is === 'composing') return composing(machine, phase.since, view);
  if (phase.is === 'settling') return settling(machine, phase, view);
  return entered(machine, phase, view);
}

function composing(machine: PromptMachine, since: number, view: PromptView): Stepped {
  const { rules, before } = machine;
  const marker = appeared(before, view.look);
  const changed = view.look.text !== before.text;
  if (marker !== null) return settle({ ...machine, marker }, view);
  if (!rules.recognisable && changed) return settle(machine, view);
  const left = since + showMs(rules) - view.at;
  if (left > 0) return look(machine, left);
  // Nothing at all came of it: an agent that does not even echo will not take Enter for what we mean.
  if (rules.known && !changed) return end(machine, 'no_change');
  return settle(machine, view);
}

function showMs({ known, bracketed }: PromptRules): number {
  if (known) return SHOW_KNOWN_MS;
  return bracketed ? SHOW_PASTED_MS : SHOW_TYPED_MS;
}

function settle(machine: PromptMachine, { at, look: seen }: PromptView): Stepped {
  const next: PromptMachine = { ...machine, phase: { is: 'settling', since: at, quietSince: at, text: seen.text } };
  return look(next, QUIET_MS);
}

function settling(machine: PromptMachine, phase: Phase & { is: 'settling' }, view: PromptView): Stepped {
  const { at } = view;
  const marker = machine.marker ?? appeared(machine.before, view.look);
  const isSame = view.look.text === phase.text;
  const quietSince = isSame ? phase.quietSince : at;
  const next: PromptMachine = { ...machine, marker, phase: { ...phase, quietSince, text: view.look.text } };
  const quietIn = Math.min(quietSince + QUIET_MS, phase.since + NEVER_QUIET_MS) - at;
  return quietIn > 0 ? look(next, quietIn) : enter(next, view);
}

/** Enter would answer a dialog that opened meanwhile. */
function enter(machine: PromptMachine, { at, look: composed, state }: PromptView): Stepped {
  if (state === 'blocked' && !machine.rules.force) return end(machine, 'dialog');
  const phase: Phase = { is: 'entered', since: at, state };
  return { machine: { ...machine, phase, composed, enters: machine.enters + 1 }, step: { do: 'enter' } };
}

function entered(machine: PromptMachine, phase: Phase & { is: 'entered' }, view: PromptView): Stepped {
  if (hasEffect(machine, phase.state, view)) return end(machine, 'submitted');
  const isLast = machine.enters >= MOST_ENTERS || !mayEnterAgain(machine, view);
  const left = phase.since + (machine.enters >= MOST_ENTERS ? LAST_PATIENCE_MS : ENTER_PATIENCE_MS) - view.at;
  if (left > 0) return look(machine, left);
  return isLast ? end(machine, 'no_change') : enter(machine, view);
}

/** A change of the agent's state, or what was composed has left the composer; where neither can be told, any change. */
function hasEffect({ marker, composed, rules }: PromptMachine, before: AgentState | null, view: PromptView): boolean {
  if (view.state !== before && (view.state === 'working' || view.state === 'blocked')) return true;
  const changed = view.look.text !== composed.text;
  if (marker === null || !(rules.known || rules.bracketed)) return changed;
  return hasLeft(marker, composed, view.look);
}

/** Only where the composer still holds what we wrote, or nothing at all has changed, and not in a plain line editor. */
function mayEnterAgain({ rules, marker, composed }: PromptMachine, { look: seen, state }: PromptView): boolean {
  if (!(rules.known || rules.bracketed) || (state === 'blocked' && !rules.force)) return false;
  return marker !== null || seen.text === composed.text;
}

const look = (machine: PromptMachine, ms: number): Stepped => ({
  machine,
  step: { do: 'look', ms: Math.min(ms, LOOK_MS) },
});

const end = (machine: PromptMachine, why: PromptEnd): Stepped => ({
  machine,
  step: { do: 'end', end: why },
});

/** More than all of the phases together: the longest that a prompt can hold up other input. */
export const LONGEST_WRITE_MS = SHOW_KNOWN_MS + NEVER_QUIET_MS + ENTER_PATIENCE_MS + LAST_PATIENCE_MS + 2000;
