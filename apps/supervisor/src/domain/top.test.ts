import { describe, expect, it } from 'vitest';
import { type Reading, type ServiceReading, type SurfaceReading, topBetween } from './top.js';

const cpu = (pid: number, cpuMs: number, start = 'a') => ({ pid, parent: 0, start, cpuMs, childrenCpuMs: 0 });
const service = (name: string, more: Partial<ServiceReading> = {}): ServiceReading => ({
  name,
  pid: 1,
  use: cpu(1, 0),
  rssBytes: 10,
  descriptors: 3,
  descriptorLimit: null,
  moved: { read: 0, written: 0 },
  ...more,
});
const surface = (more: Partial<SurfaceReading> = {}): SurfaceReading => ({
  surfaceId: 'S',
  host: 'local',
  pid: 5,
  processes: [{ ...cpu(5, 0), rssBytes: 100 }],
  outputBytes: 0,
  inputBytes: 0,
  inputWaiting: 0,
  ...more,
});
const reading = (at: number, more: Partial<Reading> = {}): Reading => ({
  at,
  services: [],
  surfaces: [],
  unreachable: [],
  ...more,
});
/** The sum of the differences; the exact rule has its own tests. */
const usedBetween = (
  before: readonly { cpuMs: number }[],
  after: readonly { cpuMs: number; childrenCpuMs: number }[],
) => {
  const sum = (list: readonly { cpuMs: number }[]) => list.reduce((total, { cpuMs }) => total + cpuMs, 0);
  return sum(after) - sum(before) + after.reduce((total, { childrenCpuMs }) => total + childrenCpuMs, 0);
};
const facts = { usedBetween, names: new Map() };

describe('what is used between two readings', () => {
  it('is a share of one core and bytes a second', () => {
    const before = reading(0, {
      services: [service('gateway', { use: cpu(1, 100), moved: { read: 1000, written: 0 } })],
      surfaces: [surface({ outputBytes: 500, inputBytes: 10 })],
    });
    const after = reading(2000, {
      services: [service('gateway', { use: cpu(1, 600), moved: { read: 3000, written: 8 } })],
      surfaces: [
        surface({
          processes: [5, 6].map((pid) => ({ ...cpu(pid, 1500), rssBytes: 100 })),
          outputBytes: 2500,
          inputBytes: 14,
        }),
      ],
    });
    const top = topBetween(before, after, facts);
    expect(top.services).toMatchObject([{ name: 'gateway', cpu_percent: 25, read_rate: 1000, write_rate: 4 }]);
    expect(top.surfaces).toMatchObject([
      { cpu_percent: 150, rss_bytes: 200, processes: 2, output_rate: 1000, input_rate: 2, output_bytes: 2500 },
    ]);
  });

  it('of a service that was started anew counts from its start, not backwards', () => {
    const before = reading(0, {
      services: [service('gateway', { use: cpu(1, 9000), moved: { read: 9, written: 9 } })],
    });
    const use = cpu(2, 100);
    const after = reading(1000, {
      services: [service('gateway', { pid: 2, use, moved: { read: 3, written: 0 } })],
    });
    expect(topBetween(before, after, facts).services).toMatchObject([{ cpu_percent: 10, read_rate: 3, write_rate: 0 }]);
  });

  it('of the keeper leaves out the programs that it has waited for', () => {
    const childrenCpuMs = 5000;
    const after = (name: string) =>
      reading(1000, { services: [service(name, { use: { ...cpu(1, 0), childrenCpuMs } })] });
    const of = (name: string) => topBetween(reading(0), after(name), facts).services[0]?.cpu_percent;
    expect([of('keeper'), of('git-service')]).toEqual([0, 500]);
  });

  it('names what is known, and says which pty-host did not answer', () => {
    const names = new Map([
      ['S', { surface_ref: 'surface:1', title: 'make', workspace_id: 'W', workspace_ref: 'workspace:1' }],
    ]);
    const after = reading(10, { surfaces: [surface(), surface({ surfaceId: 'T' })], unreachable: ['local-1'] });
    const top = topBetween(reading(0), after, { usedBetween, names });
    expect(top.surfaces.map(({ title }) => title)).toEqual(['make', null]);
    expect(top.unreachable).toEqual(['local-1']);
  });
});
