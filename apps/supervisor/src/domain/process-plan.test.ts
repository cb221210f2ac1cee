import { describe, expect, it } from 'vitest';
import { planProcesses, startOrder, stopOrder } from './process-plan.js';

const names = (groups: { name: string }[][]) => groups.map((group) => group.map(({ name }) => name));

describe('the plan of a yard', () => {
  it('has one process of each kind', () => {
    expect(planProcesses({ pty_hosts: 1, detectors: 1 }, 'embedded').map(({ name }) => name)).toEqual([
      'bus',
      'keeper',
      'pty-host',
      'workspace-service',
      'git-service',
      'detector',
      'notifier',
      'gateway',
    ]);
  });

  it('numbers further ones of a kind and gives each pty-host its shard', () => {
    const plan = planProcesses({ pty_hosts: 2, detectors: 3 }, 'nats-server');
    expect(plan.filter(({ service }) => service === 'detector').map(({ name }) => name)).toEqual([
      'detector',
      'detector-2',
      'detector-3',
    ]);
    expect(plan.find(({ name }) => name === 'pty-host-2')).toMatchObject({ address: 'local-1', shard: 1, shards: 2 });
  });

  it('starts no broker when somebody else runs one', () => {
    expect(planProcesses({ pty_hosts: 1, detectors: 1 }, 'external').map(({ name }) => name)).not.toContain('bus');
  });

  it('starts what carries the others first, stops the gateway first and the keeper after everything else', () => {
    const plan = planProcesses({ pty_hosts: 1, detectors: 1 }, 'embedded');
    expect(names(startOrder(plan))[0]).toEqual(['bus', 'keeper']);
    expect(names(stopOrder(plan))[0]).toEqual(['gateway']);
    expect(names(stopOrder(plan)).at(-1)).toEqual(['keeper']);
    expect(startOrder(plan).flat()).toHaveLength(plan.length);
    expect(stopOrder(plan).flat()).toHaveLength(plan.length);
  });
});
