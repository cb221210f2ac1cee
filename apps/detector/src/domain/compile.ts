import { LIMITS } from './limits.js';
import type { Gate, ManifestV2, Rule } from './manifest.js';
import type { RegionName, Shape } from './screen/view.js';

/** A condition whose expressions are compiled. */
export interface CompiledGate {
  readonly region: RegionName;
  readonly lines: number | null;
  readonly contains: readonly string[];
  readonly regex: readonly RegExp[];
  readonly lineRegex: readonly RegExp[];
  readonly shape: Shape | null;
  readonly all: readonly CompiledGate[];
  readonly any: readonly CompiledGate[];
  readonly not: readonly CompiledGate[];
}

export interface CompiledRule {
  /** Of which manifest it is: an agent's id, or `generic`. */
  readonly manifest: string;
  readonly rule: Rule;
  readonly gate: CompiledGate;
}

/** The rules of a manifest in the order in which they win. Rules of equal priority keep the order of the file. */
export function compileRules(manifest: ManifestV2, name: string): CompiledRule[] {
  return manifest.rules
    .map((rule) => ({ manifest: name, rule, gate: compileGate(rule) }))
    .sort((a, b) => b.rule.priority - a.rule.priority);
}

export function compileGate(gate: Gate, outer: { region: RegionName; lines: number | null } = WHOLE): CompiledGate {
  const place =
    gate.region === undefined
      ? { ...outer, ...(gate.lines === undefined ? {} : { lines: gate.lines }) }
      : {
          region: gate.region,
          lines: gate.lines ?? null,
        };
  const inner = (gates: readonly Gate[] | undefined) => (gates ?? []).map((each) => compileGate(each, place));
  return {
    ...place,
    contains: (gate.contains ?? []).map((text) => text.toLowerCase()),
    regex: (gate.regex ?? []).map((source) => new RegExp(source, 'iu')),
    lineRegex: (gate.line_regex ?? []).map((source) => new RegExp(source, 'iu')),
    shape: gate.shape ?? null,
    all: inner(gate.all),
    any: inner(gate.any),
    not: inner(gate.not),
  };
}

const WHOLE = { region: 'screen' as const, lines: null };

/**
 * What a schema cannot say of a manifest: its limits, its expressions, names that occur twice.
 * @returns one sentence for each fault; none: the manifest can be compiled
 */
export function faultsIn(manifest: ManifestV2): string[] {
  const gates = [...manifest.rules, ...(manifest.recognize.screen ?? [])];
  const ids = manifest.rules.map(({ id }) => id);
  return [
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `two rules are called ${id}`),
    ...over('rules', manifest.rules.length),
    ...over(
      'gates',
      gates.reduce((sum, gate) => sum + countOf(gate), 0),
    ),
    ...over('depth', Math.max(0, ...gates.map(depthOf))),
    ...gates.flatMap((gate) => faultsOfGate(gate)),
    ...(manifest.prompts ?? []).flatMap(faultOfExpression),
  ];
}

const over = (limit: keyof typeof LIMITS, count: number) =>
  count > LIMITS[limit] ? [`${count} ${limit}, and ${LIMITS[limit]} are allowed`] : [];

const innerOf = (gate: Gate) => [...(gate.all ?? []), ...(gate.any ?? []), ...(gate.not ?? [])];
const countOf = (gate: Gate): number => innerOf(gate).reduce((sum, inner) => sum + countOf(inner), 1);
const depthOf = (gate: Gate): number => 1 + Math.max(0, ...innerOf(gate).map(depthOf));

function faultsOfGate(gate: Gate): string[] {
  const expressions = [...(gate.regex ?? []), ...(gate.line_regex ?? [])];
  const matchers = [...expressions, ...(gate.contains ?? [])];
  const empty = matchers.length === 0 && gate.shape === undefined && innerOf(gate).length === 0;
  return [
    ...(empty ? ['a condition without a condition'] : []),
    ...over('matchers', matchers.length),
    ...matchers.flatMap((text) => over('matcherLength', text.length)),
    ...expressions.flatMap(faultOfExpression),
    ...innerOf(gate).flatMap(faultsOfGate),
  ];
}

function faultOfExpression(source: string): string[] {
  try {
    new RegExp(source, 'iu');
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
