import type { Result } from '@switchyard/protocol';
import { askSupervisor, explainAbsence } from '../ask-supervisor.js';
import type { Run } from '../command.js';
import { cleanText } from '../domain/clean-text.js';
import { EXIT } from '../domain/exit-codes.js';
import { shortBytes } from '../domain/rate.js';
import type { Output } from '../output.js';

type Health = Result<'system.health'>;

const HEADING = ['PROCESS', 'STATE', 'ANSWERS', 'IN FLIGHT', 'ERRORS', 'CRASHES', 'MEMORY', 'FILES', 'VERSION'];
const COLOURS = { ok: 'green', degraded: 'yellow', failing: 'red' } as const;
const STATES = { ready: 'green', failed: 'red', backoff: 'yellow', starting: 'yellow' } as const;

export const health: Run = async (context) => {
  const client = await askSupervisor(context);
  const found = await client.call('system.health', {}, { timeoutMs: context.timeoutMs }).catch(explainAbsence);
  context.out.result(found, () => healthLines(context.out, found));
  return found.verdict === 'failing' ? EXIT.refused : EXIT.ok;
};

function healthLines(out: Output, { verdict, reasons, services, bus, disk, memory, terminals }: Health): string[] {
  return [
    out.paint(COLOURS[verdict], `The yard is ${verdict}.`),
    ...reasons.map(
      ({ alarm, verdict: grave, message }) =>
        `${out.paint(COLOURS[grave], grave.padEnd(8))} ${alarm}: ${cleanText(message)}`,
    ),
    '',
    ...out.table(HEADING, services.map(rowOf), (cell) => STATES[cell as keyof typeof STATES]),
    '',
    `bus ${bus.broker}, ${bus.connected ? 'connected' : 'not connected'}`,
    ...disk.map(
      ({ folder, path, free_bytes, total_bytes }) =>
        `${folder} folder ${cleanText(path)}: ${shortBytes(free_bytes)} of ${shortBytes(total_bytes)} free`,
    ),
    ...(memory === null ? [] : [`memory: ${shortBytes(memory.free_bytes)} of ${shortBytes(memory.total_bytes)} free`]),
    ...(terminals === null ? [] : [`pseudo-terminals: ${terminals.open} of ${terminals.limit} open`]),
  ];
}

function rowOf(service: Health['services'][number]): string[] {
  const number = (value: number | null, unit = '') => (value === null ? '-' : `${value}${unit}`);
  const { descriptors, descriptor_limit: limit } = service;
  return [
    service.name,
    service.state,
    number(service.answers_ms, ' ms'),
    number(service.in_flight),
    number(service.errors),
    String(service.crashes),
    service.rss_bytes === null ? '-' : shortBytes(service.rss_bytes),
    limit === null ? number(descriptors) : `${number(descriptors)} of ${limit}`,
    cleanText(service.version ?? '-'),
  ];
}
