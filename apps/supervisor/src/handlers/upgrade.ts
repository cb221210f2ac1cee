import type { Log } from '@switchyard/bus';
import type { YardPaths } from '@switchyard/config';
import { fail, type Handlers } from '@switchyard/protocol';
import { factsOf, installationIn, ownFacts } from '../adapters/installation.js';
import { readUpgrade, writeUpgrade } from '../adapters/upgrade-file.js';
import { whyNot } from '../domain/installation.js';
import { goOnAs } from '../go-on-as.js';
import type { YardOptions } from '../yard-options.js';

/** The answer is on its way before the program that gave it is replaced. */
const ANSWER_MS = 100;

export interface UpgradeHandlerDeps {
  readonly paths: YardPaths;
  /** undefined in a supervisor that is part of another program. */
  readonly options: YardOptions | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Leaves only what the next program can take over, and writes that down. */
  readonly settle: () => Promise<void>;
}

export function upgradeHandlers(
  deps: UpgradeHandlerDeps,
): Pick<Handlers<'supervisor', unknown>, 'server.live_handoff'> {
  const { paths, options, env, log, settle } = deps;
  let asked = false;
  return {
    'server.live_handoff': async ({ from: folder, expected_version }) => {
      if (options === undefined) fail('invalid_state', 'This supervisor is part of another program.');
      if (asked || readUpgrade(paths)?.state === 'running') fail('invalid_state', 'An upgrade is under way.');
      asked = true;
      try {
        const main = installationIn(folder);
        const [own, other] = [ownFacts(), await factsOf(main)];
        const reason = whyNot(own, other, expected_version);
        if (reason !== undefined) fail('version_mismatch', reason);
        const [from, to] = [own, other].map(({ version, folder }) => ({ version, folder })) as [Place, Place];
        const started = { state: 'running', step: 'supervisor', replaced: [], error: null } as const;
        const upgrade = { ...started, from, to, started_at: Date.now(), ended_at: null };
        writeUpgrade(paths, { ...upgrade, replaced: [] });
        const begin = async () => {
          asked = false;
          try {
            await settle();
            goOnAs(main, options, env);
          } catch (error) {
            log.error({ err: error, main }, 'the upgrade was refused by the system');
            writeUpgrade(paths, {
              ...upgrade,
              replaced: [],
              state: 'failed',
              error: String(error),
              ended_at: Date.now(),
            });
          }
        };
        setTimeout(() => void begin(), ANSWER_MS);
        return { from, to };
      } catch (error) {
        asked = false;
        throw error;
      }
    },
  };
}

interface Place {
  readonly version: string;
  readonly folder: string;
}
