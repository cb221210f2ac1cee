import type { Bus } from '@switchyard/bus';
import type { ServiceKit } from '@switchyard/service';

/** Rebuilding the screens of hundreds of terminals after a crash takes seconds. */
const READY_TIMEOUT_MS = 30_000;
/** One try; the bus itself waits a moment for a service that is not there yet. */
const TRY_MS = 10_000;
/** Between tries when the bus gives up at once. */
const RETRY_MS = 250;

/**
 * Resolves when workspace-service and every pty-host answer, so that a client that can connect can work.
 * Opens all the same after {@link READY_TIMEOUT_MS}: a yard with a broken part must still be reachable, to be looked at.
 */
export async function waitForYard(bus: Bus, log: ServiceKit['log'], ptyHosts: readonly string[]): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  const checks: [string, (timeoutMs: number) => Promise<unknown>][] = [
    ['workspace-service', (timeoutMs) => bus.call('system.identify', {}, { timeoutMs })],
    ...ptyHosts.map((address): [string, (timeoutMs: number) => Promise<unknown>] => [
      `pty-host ${address}`,
      (timeoutMs) => bus.call('terminal.list', {}, { timeoutMs, address }),
    ]),
  ];
  await Promise.all(checks.map(([name, check]) => waitForOne(name, check, deadline, log)));
}

async function waitForOne(
  name: string,
  check: (timeoutMs: number) => Promise<unknown>,
  deadline: number,
  log: ServiceKit['log'],
): Promise<void> {
  for (;;) {
    try {
      await check(TRY_MS);
      return;
    } catch (err) {
      if (performance.now() + RETRY_MS > deadline) {
        log.error({ err, part: name }, 'opening to clients although a part of the yard does not answer');
        return;
      }
      log.debug({ err, part: name }, 'waiting for a part of the yard');
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
