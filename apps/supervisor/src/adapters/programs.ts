import { fileURLToPath } from 'node:url';
import { SERVICE_ENV, type ServiceEnv, type Settings, type YardPaths } from '@switchyard/config';
import type { Fleet } from '../fleet/fleet.js';
import { natsServerProgram, type YardAddress } from './broker.js';
import type { ProgramFor } from './launch.js';

/** Where each program is, found as any import is: works from a clone and from an installed package. */
const MODULES: Record<Exclude<ServiceEnv['service'], 'supervisor' | 'fleet-broker'>, string> = {
  broker: '@switchyard/broker/main',
  keeper: '@switchyard/pty-host/keeper-main',
  'pty-host': '@switchyard/pty-host/main',
  'workspace-service': '@switchyard/workspace-service/main',
  'git-service': '@switchyard/git-service/main',
  detector: '@switchyard/detector/main',
  notifier: '@switchyard/notifier/main',
  gateway: '@switchyard/gateway/main',
};

/**
 * What a caller inside another yard's terminal has in its environment. It says where *that* program runs, so it must not
 * reach the terminals of this yard.
 */
const CALLER = /^(SWITCHYARD|PROGRAMA)_(SOCKET(_PATH)?|SURFACE_ID|PANEL_ID|PANE_ID|WORKSPACE_ID|TAB_ID|SERVICE)$/;

/**
 * glibc begins to keep what is free once pieces of some size come and go. The lines of screens come in pieces larger than
 * this, which then go back to the system at once (line-slab.ts). A pty-host starts no programs that could inherit it.
 */
const ALLOCATOR: Partial<Record<ServiceEnv['service'], NodeJS.ProcessEnv>> = {
  'pty-host': { MALLOC_MMAP_THRESHOLD_: String(128 * 1024) },
};

/**
 * MiB of each half of the young generation. What parsing throws away it throws away at once, so a larger one only keeps more
 * garbage: with 16, the default, three times that stays resident after a burst.
 */
const ENGINE: Partial<Record<ServiceEnv['service'], readonly string[]>> = {
  'pty-host': ['--max-semi-space-size=4'],
};

export interface ProgramFacts {
  readonly paths: YardPaths;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly address: YardAddress;
  /** Path of the nats-server that carries the bus, if one does. */
  readonly natsServer?: string | undefined;
  /** What it takes for other machines to connect. */
  readonly fleet?: Pick<Fleet, 'program'> | undefined;
}

/** @returns what to run for each process of a yard */
export function yardPrograms(facts: ProgramFacts): ProgramFor {
  const env = withoutCaller(facts.env);
  return (spec, standsBy = false) => {
    if (spec.service === 'broker' && facts.natsServer !== undefined) {
      return natsServerProgram(facts.natsServer, facts.address, facts.paths, env);
    }
    if (spec.service === 'fleet-broker') {
      if (facts.natsServer === undefined || facts.fleet === undefined)
        throw new Error('there is no nats-server on PATH');
      return facts.fleet.program(facts.natsServer, env);
    }
    const description: ServiceEnv = { ...spec, paths: facts.paths, settings: facts.settings, standsBy };
    return {
      command: process.execPath,
      args: [...(ENGINE[spec.service] ?? []), mainOf(spec.service)],
      env: { ...env, ...ALLOCATOR[spec.service], [SERVICE_ENV]: JSON.stringify(description) },
    };
  };
}

/** @returns path of the program */
export function mainOf(service: ServiceEnv['service']): string {
  if (service === 'supervisor' || service === 'fleet-broker') throw new Error(`${service} is no program of ours`);
  return fileURLToPath(import.meta.resolve(MODULES[service]));
}

function withoutCaller(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !CALLER.test(name)));
}
