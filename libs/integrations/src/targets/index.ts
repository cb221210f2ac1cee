import type { Target } from '../domain/target.js';
import { antigravity } from './antigravity.js';
import { claude } from './claude.js';
import { cline } from './cline.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { cursor } from './cursor.js';
import { devin } from './devin.js';
import { droid } from './droid.js';
import { gemini } from './gemini.js';
import { grok } from './grok.js';
import { hermes } from './hermes.js';
import { kilo } from './kilo.js';
import { kimi } from './kimi.js';
import { mastracode } from './mastracode.js';
import { omp } from './omp.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import { qodercli } from './qodercli.js';
import { qwen } from './qwen.js';

/** Every agent that Switchyard can be put into; those seen at work first. */
export const TARGETS: readonly Target[] = [
  claude,
  codex,
  gemini,
  qwen,
  opencode,
  kilo,
  copilot,
  cline,
  pi,
  omp,
  mastracode,
  kimi,
  droid,
  qodercli,
  cursor,
  grok,
  devin,
  hermes,
  antigravity,
];

export const targetNamed = (agent: string): Target | undefined => TARGETS.find((target) => target.agent === agent);
