import { randomBytes } from 'node:crypto';
import { availableParallelism, freemem, homedir, loadavg, totalmem } from 'node:os';
import { BUS_PROTOCOL } from '@switchyard/bus';
import type { Params } from '@switchyard/protocol';
import { ownVersion } from '@switchyard/service/version';
import { readJson, writePrivateJson } from '../adapters/json-file.js';

type Facts = Omit<Params<'host.present'>, 'identity' | 'instance' | 'pty_hosts'>;

const IDENTITY_BYTES = 16;
/**
 * What terminals on another machine find in their environment. The yard gets to know it, so it is what describes the user
 * and the place, and nothing that may be a secret.
 */
const TOLD = /^(HOME|PATH|SHELL|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z]+_(HOME|DIR|DIRS))$/;

/** What this machine says of itself. */
export function hostFacts(env: NodeJS.ProcessEnv): Facts {
  return {
    version: ownVersion(),
    bus_protocol: BUS_PROTOCOL,
    platform: `${process.platform} ${process.arch}`,
    home: env['HOME'] || homedir(),
    shell: env['SHELL'] || '/bin/sh',
    env: Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => TOLD.test(entry[0]) && entry[1] !== undefined),
    ),
    load: {
      cpus: availableParallelism(),
      load_1m: loadavg()[0] ?? 0,
      memory_bytes: totalmem(),
      memory_free_bytes: freemem(),
    },
  };
}

/** What the yard knows this machine again by: made at the first time, and kept with the state of its terminals. */
export function ownIdentity(file: string): string {
  const kept = readJson(file) as { identity?: unknown } | undefined;
  if (typeof kept?.identity === 'string') return kept.identity;
  const identity = randomBytes(IDENTITY_BYTES).toString('hex');
  writePrivateJson(file, { identity });
  return identity;
}
