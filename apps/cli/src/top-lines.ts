import type { Result } from '@switchyard/protocol';
import { shortBytes } from './domain/rate.js';
import type { Output } from './output.js';

type Top = Result<'system.top'>;

const SERVICES = ['PROCESS', 'CPU%', 'MEMORY', 'READ/S', 'WRITE/S', 'FILES', 'PID'];
const SURFACES = ['TERMINAL', 'CPU%', 'MEMORY', 'OUT/S', 'IN/S', 'PROCS', 'TITLE'];
const BUSY = 50;
/** So that a row stays within the width of most terminals. */
const TITLE_CHARS = 32;

/** @param most of the terminals, the busiest first */
export function topLines(out: Output, top: Top, most: number): string[] {
  const surfaces = [...top.surfaces].sort((a, b) => b.cpu_percent - a.cpu_percent || b.output_rate - a.output_rate);
  const sum = (list: readonly { cpu_percent: number }[]) => list.reduce((total, one) => total + one.cpu_percent, 0);
  const memory = (list: readonly { rss_bytes: number }[]) => list.reduce((total, one) => total + one.rss_bytes, 0);
  const share = (list: Top['services'] | Top['surfaces']) =>
    `${sum(list).toFixed(1)} % of ${top.cores} cores at 100, ${shortBytes(memory(list))}`;
  const colour = (cell: string) => (/^\d+\.\d$/.test(cell) && Number(cell) >= BUSY ? 'yellow' : undefined);
  return [
    `${out.paint('bold', 'yard')} ${share(top.services)}  ${out.paint('bold', 'terminals')} ${share(top.surfaces)}`,
    '',
    ...out.table(SERVICES, top.services.map(serviceRow), colour),
    '',
    ...(surfaces.length === 0
      ? ['No program runs in a terminal.']
      : out.table(SURFACES, surfaces.slice(0, most).map(surfaceRow), colour)),
    ...(surfaces.length > most ? [`… and ${surfaces.length - most} more`] : []),
    ...top.unreachable.map((address) => `${address} does not answer: its terminals are missing here.`),
  ];
}

function serviceRow(service: Top['services'][number]): string[] {
  const bytes = (value: number | null) => (value === null ? '-' : shortBytes(value));
  return [
    service.name,
    service.cpu_percent.toFixed(1),
    shortBytes(service.rss_bytes),
    bytes(service.read_rate),
    bytes(service.write_rate),
    service.descriptors === null ? '-' : String(service.descriptors),
    String(service.pid),
  ];
}

function surfaceRow(surface: Top['surfaces'][number]): string[] {
  return [
    surface.surface_ref ?? surface.surface_id,
    surface.cpu_percent.toFixed(1),
    shortBytes(surface.rss_bytes),
    shortBytes(surface.output_rate),
    shortBytes(surface.input_rate),
    String(surface.processes),
    (surface.title ?? '').slice(0, TITLE_CHARS),
  ];
}
