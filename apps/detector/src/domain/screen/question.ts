import type { Question } from '@switchyard/agents';
import { regionOf, type ScreenView } from './view.js';

/** In this order: what is most particular first. */
const KINDS: readonly (readonly [Question['kind'], RegExp])[] = [
  ['trust', /\btrust\b/iu],
  ['auth', /\b(?:log ?in|sign ?in|authenticat\w*|api key|device code|verification code|password)\b/iu],
  [
    'permission',
    /\b(?:allow|approve|permission|permit|grant)\b|\b(?:do you want|would you like) to (?:proceed|run|create|edit|make|overwrite|write|execute|apply|delete|allow|use|fetch|read|continue)\b|\brun this command\b|\bwants to\b|\b(?:execute|apply) (?:this|these|the following)\b|\bproceed\?/iu,
  ],
  [
    'setup',
    /\b(?:theme|text style|get started|welcome to|set ?up|onboarding|subscription|terms|default (?:model|mode|permission mode))\b/iu,
  ],
];
/** An excerpt is for a list of questions, not for reading the dialog in. */
export const MAX_EXCERPT_CHARS = 240;

/** The question of the open dialog, with its kind told from its words. */
export function questionOf(view: ScreenView, kind: Question['kind'] | null, fallback: string): Question {
  const { dialog } = view;
  const text = dialog === null ? fallback : regionOf(view, 'dialog', null).join('\n');
  const told = kind ?? KINDS.find(([, words]) => words.test(text))?.[0] ?? (dialog === null ? 'unknown' : 'question');
  return { kind: told, excerpt: (dialog?.asks ?? fallback).slice(0, MAX_EXCERPT_CHARS) };
}
