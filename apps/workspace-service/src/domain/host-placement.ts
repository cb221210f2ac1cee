import { fail } from '@switchyard/protocol';
import type { Load } from './hosts.js';

/** A machine on which a terminal could be placed. */
export interface Candidate {
  readonly host: string;
  readonly labels: readonly string[];
  /** It is there and takes terminals. */
  readonly open: boolean;
  /** null: not known. */
  readonly load: Load | null;
  /** Terminals it has. */
  readonly terminals: number;
}

const ANY = /^any(?::(.+))?$/;
/** A terminal counts as much as so many processes that want to run: those of an agent that waits come and go. */
const LOAD_OF_TERMINAL = 0.1;

/** Whether a caller leaves the choice to us. */
export const isOpenChoice = (wanted: string): boolean => ANY.test(wanted);

/**
 * The least loaded machine of those that may be taken, counted by what runs and what may come to run for each processor.
 *
 * @param wanted `any` or `any:LABEL`
 * @throws `host_unreachable` when there is none
 */
export function placeByLoad(wanted: string, candidates: readonly Candidate[]): string {
  const label = ANY.exec(wanted)?.[1];
  const fitting = candidates.filter(({ labels, open }) => open && (label === undefined || labels.includes(label)));
  const [best] = fitting.sort((a, b) => pressure(a) - pressure(b) || a.host.localeCompare(b.host));
  if (best !== undefined) return best.host;
  const what = label === undefined ? 'No host takes terminals' : `No host with the label ${label} takes terminals`;
  return fail('host_unreachable', what, { wanted, known: candidates.map(({ host }) => host) });
}

function pressure({ load, terminals }: Candidate): number {
  const cpus = Math.max(1, load?.cpus ?? 1);
  return ((load?.load_1m ?? 0) + terminals * LOAD_OF_TERMINAL) / cpus;
}
