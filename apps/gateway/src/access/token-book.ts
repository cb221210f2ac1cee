import { createHash, randomBytes } from 'node:crypto';
import { SwitchyardError } from '@switchyard/protocol';
import type { Database, Migration } from '@switchyard/store/sqlite';
import type { Grant } from '../domain/grant.js';

export const TOKEN_MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE tokens (name TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, grant_json TEXT NOT NULL,
     created_at INTEGER NOT NULL, request_id TEXT) WITHOUT ROWID`,
];

/** More than any yard has sandboxes; whoever makes more has forgotten to revoke. */
const MAX_TOKENS = 1000;
const SECRET_BYTES = 32;
/** Makes a token that leaked into a log or a repository easy to find. */
const PREFIX = 'syt_';
/** Longest a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Token {
  readonly name: string;
  readonly grant: Grant;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

type Row = { name: string; grant_json: string; created_at: number; request_id: string | null };

/** The tokens of the yard, on disk as digests only. Tells those that are logged in with one when it ends. */
export class TokenBook {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #watchers = new Map<string, Set<() => void>>();

  /** @param now Unix milliseconds */
  constructor(db: Database, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  /**
   * @param requestId a repeat with the same one gets a new secret for the same token: the first never arrived
   * @returns the secret, which is kept nowhere
   * @throws SwitchyardError `already_exists`, `invalid_state` when there are too many
   */
  create(name: string, grant: Grant, requestId: string | undefined): string {
    this.#forgetExpired();
    const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const before = this.#row(name);
    if (before !== undefined && (requestId === undefined || before.request_id !== requestId)) {
      throw new SwitchyardError('already_exists', `There is a token ${name} already; revoke it first.`, { name });
    }
    if (before === undefined && this.list().length >= MAX_TOKENS) {
      throw new SwitchyardError('invalid_state', `There are ${MAX_TOKENS} tokens already.`, { limit: MAX_TOKENS });
    }
    this.#db
      .prepare('INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?, ?)')
      .run(name, digest(secret), JSON.stringify(grant), this.#now(), requestId ?? null);
    return secret;
  }

  /** In the order of their names. */
  list(): Token[] {
    this.#forgetExpired();
    return (this.#db.prepare('SELECT * FROM tokens ORDER BY name').all() as unknown as Row[]).map(tokenOf);
  }

  /** Finding a digest takes as long for a nearly right secret as for any other. */
  find(secret: string): Token | undefined {
    this.#forgetExpired();
    const row = this.#db.prepare('SELECT * FROM tokens WHERE hash = ?').get(digest(secret)) as unknown as
      | Row
      | undefined;
    return row && tokenOf(row);
  }

  /** @returns whether there was one */
  revoke(name: string): boolean {
    const { changes } = this.#db.prepare('DELETE FROM tokens WHERE name = ?').run(name);
    this.#end(name);
    return Number(changes) > 0;
  }

  /** Who is logged in with a token. */
  usersOf(name: string): number {
    return this.#watchers.get(name)?.size ?? 0;
  }

  /** `onEnd` runs once when the token is revoked or has expired. @returns stops watching */
  watch({ name, grant }: Token, onEnd: () => void): () => void {
    const watchers = this.#watchers.get(name) ?? new Set();
    this.#watchers.set(name, watchers.add(onEnd));
    const left = grant.expiresAt === null ? MAX_TIMER_MS : grant.expiresAt - this.#now();
    const timer = left < MAX_TIMER_MS ? setTimeout(onEnd, Math.max(0, left)) : undefined;
    return () => {
      clearTimeout(timer);
      watchers.delete(onEnd);
      if (watchers.size === 0 && this.#watchers.get(name) === watchers) this.#watchers.delete(name);
    };
  }

  #row(name: string): Row | undefined {
    return this.#db.prepare('SELECT * FROM tokens WHERE name = ?').get(name) as unknown as Row | undefined;
  }

  #forgetExpired(): void {
    for (const row of this.#db.prepare('SELECT * FROM tokens').all() as unknown as Row[]) {
      const { name, grant } = tokenOf(row);
      if (grant.expiresAt !== null && grant.expiresAt <= this.#now()) this.revoke(name);
    }
  }

  #end(name: string): void {
    for (const onEnd of [...(this.#watchers.get(name) ?? [])]) onEnd();
  }
}

const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const tokenOf = ({ name, grant_json, created_at }: Row): Token => ({
  name,
  grant: JSON.parse(grant_json) as Grant,
  createdAt: created_at,
});
