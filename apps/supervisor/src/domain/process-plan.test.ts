import { describe, expect, it } from 'vitest';
import { canStandBy, planProcesses, startOrder, stopOrder } from './process-plan.js';

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

  it('has a broker for other machines only with a fleet: it holds up nobody, and ends before that of the yard', () => {
    expect(planProcesses({ pty_hosts: 1, detectors: 1 }, 'nats-server').map(({ name }) => name)).not.toContain(
      'bus-fleet',
    );
    const plan = planProcesses({ pty_hosts: 1, detectors: 1 }, 'nats-server', true);
    expect(names(startOrder(plan))[0]).not.toContain('bus-fleet');
    expect(names(startOrder(plan))[1]).toContain('bus-fleet');
    expect(names(stopOrder(plan)).slice(-3)).toEqual([['bus-fleet'], ['bus'], ['keeper']]);
    expect(canStandBy({ service: 'fleet-broker' }, 'nats-server')).toBe(false);
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
