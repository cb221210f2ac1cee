import { describe, expect, it } from 'vitest';
import { runChaos } from '../chaos/chaos.js';
import { TAMPERINGS } from '../chaos/tamper.js';
import { sizeFrom } from './use-yard.js';

const MINUTES = sizeFrom('SWITCHYARD_TEST_CHAOS_MINUTES', 2);
const SEED = sizeFrom('SWITCHYARD_TEST_CHAOS_SEED', 1);
const SURFACES = 20;
/** Start, the end of what was begun, and the comparisons: bounded by the run itself. */
const AROUND_MS = 900_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

describe('chaos', () => {
  it(
    `loses and doubles nothing in ${MINUTES} minutes with ${SURFACES} surfaces and seed ${SEED}`,
    async () => {
      const ledger = await runChaos({ minutes: MINUTES, surfaces: SURFACES, seed: SEED, say });
      say(`${ledger.deedsLine}\n${ledger.faultsLine}\n${ledger.verdict(SEED)}`);
      expect(ledger.said).toEqual([]);
      for (const deed of ['actions', 'inputs', 'waits', 'prompts', 'changes', 'events', 'reconnects'] as const) {
        expect(ledger.done(deed), deed).toBeGreaterThan(0);
      }
    },
    MINUTES * 60_000 + AROUND_MS,
  );

  it(
    'finds every kind of fault that is put between the yard and its checks',
    async () => {
      const ledger = await runChaos({
        minutes: 0.2,
        surfaces: 8,
        seed: SEED,
        tamper: TAMPERINGS,
        say: () => undefined,
      });
      expect(ledger.verdict(SEED)).toMatch(/^verdict: FAILED/);
      const found = [
        'bytes lost',
        'bytes doubled',
        'inputs doubled',
        'events lost',
        'changes doubled',
        'prompts doubled',
        'requests without an answer',
        'processes lost',
        'descriptors grown',
      ] as const;
      expect(found.filter((kind) => ledger.count(kind) === 0)).toEqual([]);
    },
    AROUND_MS,
  );
});
