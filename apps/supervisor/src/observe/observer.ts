import type { YardPaths } from '@switchyard/config';
import type { Result } from '@switchyard/protocol';
import { ownVersion } from '@switchyard/service/version';
import { metricsText } from '../domain/metrics-text.js';
import type { ProcessSet } from '../process-set.js';
import type { YardBus } from '../serve-on-bus.js';
import { readHealth } from './health.js';
import { LogFiles } from './log-files.js';
import { readNames, takeReading } from './reader.js';
import { Top } from './top.js';

/** Of each log for one answer: thousands of lines, read in a few milliseconds. */
const LOG_SCAN_BYTES = 2 * 1024 * 1024;

export interface ObserverParts {
  readonly paths: YardPaths;
  readonly processes: ProcessSet;
  readonly onBus: () => YardBus | undefined;
  /** Which broker carries the bus. */
  readonly broker: string;
}

/** Looks at the yard when somebody asks, and never by itself. */
export class Observer {
  readonly top: Top;
  readonly logs: LogFiles;
  readonly #parts: ObserverParts;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
    const bus = () => parts.onBus()?.bus;
    this.top = new Top({
      read: () => takeReading({ processes: parts.processes, bus }),
      names: () => readNames(bus()),
    });
    this.logs = new LogFiles(parts.paths.logDir, LOG_SCAN_BYTES);
  }

  health(): Promise<Result<'system.health'>> {
    return readHealth(this.#parts);
  }

  /** Everything, in the text form of Prometheus. */
  async metrics(): Promise<string> {
    const [health, top] = await Promise.all([this.health(), this.top.read()]);
    const services = this.top.last?.services ?? [];
    return metricsText({
      version: ownVersion(),
      health,
      top,
      serviceCpu: new Map(services.map(({ name, use }) => [name, use.cpuMs / 1000])),
      surfaceCpu: (surfaceId) => this.top.cpuSeconds(surfaceId),
    });
  }
}
