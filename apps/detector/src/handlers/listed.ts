import type { Result } from '@switchyard/protocol';
import type { KnownAgent } from '../adapters/manifest-folders.js';
import type { Gate, ManifestV2, Rule } from '../domain/manifest.js';

type Listed = Result<'agent.detection.list'>['manifests'][number];

/** A manifest as the peer lists it. Of version 2 a rule's expressions stand for its patterns. */
export function listed({ engine, manifest, source, shadowsBundled }: KnownAgent): Listed {
  return {
    agent: manifest.agent,
    display_name: manifest.display_name,
    version: manifest.version,
    source,
    process_names: [...manifest.recognize.process_names],
    shadows_bundled: shadowsBundled,
    verified: manifest.version === 2 ? [...manifest.verified] : [],
    states:
      manifest.version === 1
        ? manifest.states.map((rule) => ({ ...rule, source_notes: rule.source_notes ?? null }))
        : rulesOf(manifest, engine.version === 2 ? engine.rules.map(({ rule }) => rule) : []),
  };
}

function rulesOf(manifest: ManifestV2, rules: readonly Rule[]): Listed['states'] {
  return rules.map((rule) => ({
    bucket: rule.says,
    priority: rule.priority,
    anchor_last_n_lines: rule.lines ?? 0,
    patterns: patternsOf(rule),
    confidence: manifest.verified.length > 0 ? 'verified' : 'needs_verification',
    source_notes: rule.note ?? null,
  }));
}

const patternsOf = (gate: Gate): string[] => [
  ...(gate.shape === undefined ? [] : [`shape ${gate.shape}`]),
  ...(gate.contains ?? []),
  ...(gate.regex ?? []),
  ...(gate.line_regex ?? []),
  ...[...(gate.all ?? []), ...(gate.any ?? [])].flatMap(patternsOf),
];
