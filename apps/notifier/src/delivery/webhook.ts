import { createHmac, randomBytes } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { type Adapter, Refused } from './adapter.js';

export interface WebhookOptions {
  readonly url: string;
  /** Its first line is the secret. */
  readonly secretFile: string;
  /** Make one when there is none. */
  readonly mayMakeSecret: boolean;
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
const SECRET_BYTES = 32;
/** These say that the same request can succeed later; any other 4xx says that it never will. */
const LATER = new Set([408, 425, 429]);

/**
 * POST with JSON, signed: `X-Switchyard-Signature: v1=` and the HMAC-SHA256, in hex, of the time stamp, a dot and the
 * body, with the secret. Redirects are not followed: the signature is for the one who was named.
 */
export function webhookAdapter(options: WebhookOptions): Adapter {
  return {
    name: 'webhook',
    deliver: async ({ id, attempt, message }, signal) => {
      const body = JSON.stringify({ delivery_id: id, attempt, ...message });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'switchyard',
        'x-switchyard-delivery': id,
        'x-switchyard-timestamp': timestamp,
        'x-switchyard-signature': signature(await secretOf(options), timestamp, body),
      };
      const request = { method: 'POST', body, headers, redirect: 'manual', signal } as const;
      const response = await fetch(options.url, request).catch((error: Error) => {
        throw new Error(
          signal.aborted ? 'no answer in time' : String((error.cause as Error | undefined)?.message ?? error.message),
        );
      });
      await response.body?.cancel();
      if (response.ok) return;
      const problem = `it answered ${response.status}`;
      if (response.status < 500 && !LATER.has(response.status)) throw new Refused(problem);
      throw new Error(problem);
    },
  };
}

export function signature(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** Read each time, so that it can be changed without a restart. */
async function secretOf({ secretFile, mayMakeSecret }: WebhookOptions): Promise<string> {
  if (mayMakeSecret) await makeSecret(secretFile);
  const { mode } = await stat(secretFile);
  if ((mode & OTHERS) !== 0) throw new Refused(`${secretFile} can be read by others: chmod 600 it`);
  const [secret = ''] = (await readFile(secretFile, 'utf8')).split('\n');
  if (secret.trim() === '') throw new Refused(`${secretFile} holds no secret`);
  return secret.trim();
}

async function makeSecret(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', OWNER_ONLY);
    try {
      await file.writeFile(`${randomBytes(SECRET_BYTES).toString('hex')}\n`);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
