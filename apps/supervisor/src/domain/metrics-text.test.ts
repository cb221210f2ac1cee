import { describe, expect, it } from 'vitest';
import { type MetricFacts, metricsText } from './metrics-text.js';

const facts = {
  version: '1.0',
  health: {
    verdict: 'degraded',
    reasons: [{ alarm: 'disk_low', verdict: 'degraded', subject: 'a "b"\\\n', message: '' }],
    at: 0,
    bus: { broker: 'embedded', connected: true },
    services: [],
    disk: [],
    memory: null,
    terminals: null,
    events_waiting: 0,
  },
  top: { at: 0, interval_ms: 1, cores: 1, services: [], surfaces: [], unreachable: [] },
  serviceCpu: new Map(),
  surfaceCpu: () => 0,
} as unknown as MetricFacts;

describe('the text for Prometheus', () => {
  const text = metricsText(facts);

  it('escapes what a label may hold', () => {
    expect(text).toContain('switchyard_alarm{alarm="disk_low",verdict="degraded",subject="a \\"b\\"\\\\\\n"} 1\n');
  });

  it('has no line, and no heading, for what is not known', () => {
    expect(text).not.toContain('pseudo_terminals');
    expect(text).not.toContain('switchyard_surface_');
  });

  it('is lines of the format, each metric once, named by the convention', () => {
    const line =
      /^(# (HELP|TYPE) switchyard_[a-z_]+ .+|switchyard_[a-z_]+(\{([a-z]+="([^"\\\n]|\\.)*",?)+\})? \d+(\.\d+)?)$/;
    for (const one of text.trimEnd().split('\n')) expect(one).toMatch(line);
    const counters = [...text.matchAll(/^# TYPE (\S+) counter$/gm)].map((match) => match[1]);
    expect(counters.every((name) => name?.endsWith('_total'))).toBe(true);
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]);
    expect(new Set(names).size).toBe(names.length);
  });
});
