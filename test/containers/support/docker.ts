import { hostname } from 'node:os';
import { processFacts } from '@switchyard/testing';
import { getContainerRuntimeClient } from 'testcontainers';

/** On everything we make: whose it is, so that it can be found when that process is gone. */
const OWNER = 'switchyard.test.owner';

type Runtime = Awaited<ReturnType<typeof getContainerRuntimeClient>>;
export type Docker = Runtime['container']['dockerode'];

/** The daemon that DOCKER_HOST names, or the machine's own. */
export async function docker(): Promise<Docker> {
  return (await getContainerRuntimeClient()).container.dockerode;
}

/** A pid alone may belong to somebody else by now. */
const ownerOf = (pid: number) => `${hostname()} ${pid} ${processFacts(pid)?.startTicks}`;

export const labels = (): Record<string, string> => ({ [OWNER]: ownerOf(process.pid) });

/** Removes what test runs left on this machine that came to no end of their own. What living ones use stays. */
export async function sweep(daemon: Docker): Promise<void> {
  const filters = JSON.stringify({ label: [OWNER] });
  for (const { Id, Labels } of await daemon.listContainers({ all: true, filters })) {
    if (isLeft(Labels)) await daemon.getContainer(Id).remove({ force: true, v: true });
  }
  for (const { Id, Labels } of await daemon.listNetworks({ filters })) {
    if (isLeft(Labels)) await daemon.getNetwork(Id).remove();
  }
}

function isLeft(found: Readonly<Record<string, string>> | undefined): boolean {
  const owner = found?.[OWNER] ?? '';
  const [machine, pid] = owner.split(' ');
  return machine === hostname() && owner !== ownerOf(Number(pid));
}
