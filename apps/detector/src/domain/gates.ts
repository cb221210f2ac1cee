import type { CompiledGate } from './compile.js';
import { TEXT_LIMIT_CHARS } from './limits.js';
import { type RegionName, regionOf, type ScreenView, shapeIn } from './screen/view.js';

/** Why a condition holds or not. */
export interface GateTrace {
  readonly holds: boolean;
  /** The condition that decided, in words: `regex /…/ in status`. */
  readonly reason: string;
  /** What was looked at, or what of it matched. */
  readonly text: string;
}

/** Whether a condition holds, and by what. All that it names must hold; the first that does not is the reason. */
export function testGate(gate: CompiledGate, view: ScreenView): GateTrace {
  let proof: GateTrace | null = null;
  for (const test of TESTS) {
    const trace = test(gate, view);
    if (trace === null) continue;
    if (!trace.holds) return trace;
    proof ??= trace;
  }
  return proof ?? { holds: false, reason: 'no condition', text: '' };
}

type Test = (gate: CompiledGate, view: ScreenView) => GateTrace | null;

/** The cheap ones first. */
const TESTS: readonly Test[] = [shapes, contains, lineRegex, regex, all, any, not];

function shapes({ shape }: CompiledGate, view: ScreenView): GateTrace | null {
  if (shape === null) return null;
  const text = shapeIn(view, shape);
  return { holds: text !== null, reason: `shape ${shape}`, text: text ?? '' };
}

function contains(gate: CompiledGate, view: ScreenView): GateTrace | null {
  if (gate.contains.length === 0) return null;
  const text = textOf(gate, view);
  const folded = text.toLowerCase();
  const missing = gate.contains.find((part) => !folded.includes(part));
  const reason = `contains ${JSON.stringify(missing ?? gate.contains[0])} in ${placeOf(gate)}`;
  return { holds: missing === undefined, reason, text };
}

function lineRegex(gate: CompiledGate, view: ScreenView): GateTrace | null {
  if (gate.lineRegex.length === 0) return null;
  const lines = regionOf(view, gate.region, gate.lines);
  let proof: GateTrace | null = null;
  for (const expression of gate.lineRegex) {
    const hit = lines.find((line) => expression.test(line));
    const reason = `line_regex ${expression.source} in ${placeOf(gate)}`;
    if (hit === undefined) return { holds: false, reason, text: lines.join('\n') };
    proof ??= { holds: true, reason, text: hit.trim() };
  }
  return proof;
}

function regex(gate: CompiledGate, view: ScreenView): GateTrace | null {
  if (gate.regex.length === 0) return null;
  const text = textOf(gate, view);
  let proof: GateTrace | null = null;
  for (const expression of gate.regex) {
    const hit = expression.exec(text);
    const reason = `regex ${expression.source} in ${placeOf(gate)}`;
    if (hit === null) return { holds: false, reason, text };
    proof ??= { holds: true, reason, text: hit[0].trim() };
  }
  return proof;
}

function all(gate: CompiledGate, view: ScreenView): GateTrace | null {
  let proof: GateTrace | null = null;
  for (const inner of gate.all) {
    const trace = testGate(inner, view);
    if (!trace.holds) return trace;
    proof ??= trace;
  }
  return proof;
}

function any(gate: CompiledGate, view: ScreenView): GateTrace | null {
  if (gate.any.length === 0) return null;
  let first: GateTrace | null = null;
  for (const inner of gate.any) {
    const trace = testGate(inner, view);
    if (trace.holds) return trace;
    first ??= trace;
  }
  return first;
}

function not(gate: CompiledGate, view: ScreenView): GateTrace | null {
  if (gate.not.length === 0) return null;
  for (const inner of gate.not) {
    const trace = testGate(inner, view);
    if (trace.holds) return { holds: false, reason: `not: ${trace.reason}`, text: trace.text };
  }
  return { holds: true, reason: 'none of not', text: '' };
}

const textOf = (gate: CompiledGate, view: ScreenView) =>
  regionOf(view, gate.region, gate.lines).join('\n').slice(-TEXT_LIMIT_CHARS);

const placeOf = ({ region, lines }: { region: RegionName; lines: number | null }) =>
  lines === null ? region : `${region}(${lines})`;
