import type { ScreenSample } from '@switchyard/agents';
import { stateOf } from '@switchyard/agents';
import { type CompiledGate, type CompiledRule, compileGate, compileRules } from './compile.js';
import { testGate } from './gates.js';
import { type Judgement, judge } from './judge.js';
import type { Manifest, ManifestV1, ManifestV2 } from './manifest.js';
import { questionOf } from './screen/question.js';
import { type ScreenView, viewOf } from './screen/view.js';
import { type CompiledV1, classifyV1, compileV1, recognizesV1 } from './version-1.js';

/** One agent that can be told from the screen. */
export type Engine = EngineV1 | EngineV2;

interface Named {
  readonly agent: string;
  readonly displayName: string;
  /** Names of its program and words of its hint, lower case. */
  readonly processNames: readonly string[];
  readonly hints: readonly string[];
}
export interface EngineV1 extends Named {
  readonly version: 1;
  readonly compiled: CompiledV1;
}
export interface EngineV2 extends Named {
  readonly version: 2;
  readonly manifest: ManifestV2;
  readonly screen: readonly CompiledGate[];
  readonly prompts: readonly RegExp[];
  /** Its own and the generic ones, in the order in which they win. */
  readonly rules: readonly CompiledRule[];
}

/** Name of the manifest whose rules apply to every agent after its own. */
export const GENERIC = 'generic';

/** @param generic rules for any agent; null: there are none */
export function engineOf(manifest: Manifest, generic: ManifestV2 | null): Engine {
  return manifest.version === 1 ? engineV1(manifest) : engineV2(manifest, generic);
}

function engineV1(manifest: ManifestV1): EngineV1 {
  return {
    version: 1,
    agent: manifest.agent,
    displayName: manifest.display_name,
    processNames: manifest.recognize.process_names.map((name) => name.toLowerCase()),
    hints: [manifest.agent.toLowerCase()],
    compiled: compileV1(manifest),
  };
}

function engineV2(manifest: ManifestV2, generic: ManifestV2 | null): EngineV2 {
  const own = compileRules(manifest, manifest.agent);
  const shared = generic === null || manifest.generic === false ? [] : compileRules(generic, GENERIC);
  const processNames = manifest.recognize.process_names.map((name) => name.toLowerCase());
  return {
    version: 2,
    agent: manifest.agent,
    displayName: manifest.display_name,
    processNames,
    hints: [manifest.agent.toLowerCase(), ...processNames, ...(manifest.recognize.hints ?? [])],
    manifest,
    screen: (manifest.recognize.screen ?? []).map((gate) => compileGate(gate)),
    prompts: (manifest.prompts ?? []).map((source) => new RegExp(source, 'iu')),
    rules: [...own, ...shared].sort((a, b) => b.rule.priority - a.rule.priority),
  };
}

/** What shows that the agent is on the screen; null: nothing does. */
export function seenOn(engine: Engine, view: ScreenView): string | null {
  if (engine.version === 1) return recognizesV1(engine.compiled, view.sample.lines.join('\n'));
  for (const gate of engine.screen) {
    const trace = testGate(gate, view);
    if (trace.holds) return trace.text;
  }
  return null;
}

/** The screen as one agent's rules see it. */
export function viewFor(engine: Engine, sample: ScreenSample): ScreenView {
  return viewOf(sample, engine.version === 2 ? engine.prompts : []);
}

/** What an agent's rules say of a screen. */
export function judgeWith(engine: Engine, view: ScreenView): Judgement {
  return engine.version === 2 ? judge(engine.rules, view) : judgeV1(engine, view);
}

function judgeV1({ agent, compiled }: EngineV1, view: ScreenView): Judgement {
  const found = classifyV1(compiled, view.sample.lines.join('\n'));
  const bucket = found?.bucket === 'done' ? 'idle' : (found?.bucket ?? null);
  const question = bucket === 'blocked' ? questionOf(view, null, '') : null;
  const activity = bucket === 'working' || bucket === 'idle' ? bucket : 'unknown';
  const rule = found === null ? null : `${agent}/${found.bucket}`;
  return {
    activity,
    question,
    state: stateOf(activity, question),
    skip: false,
    certain: bucket !== null && bucket !== 'idle',
    rule,
    evidence: found === null ? [] : [{ kind: 'screen', rule, text: found.matchedPattern }],
  };
}
