import type { Database } from '@switchyard/store/sqlite';
import type { Level } from '../domain/words.js';

/** How much of each workspace is delivered, where somebody has said so. */
export class RuleStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): { workspace_id: string; level: Level }[] {
    return this.#db.prepare('SELECT workspace_id, level FROM levels ORDER BY rowid').all() as ReturnType<
      RuleStore['all']
    >;
  }

  of(workspaceId: string): Level | undefined {
    const row = this.#db.prepare('SELECT level FROM levels WHERE workspace_id = ?').get(workspaceId);
    return (row as { level: Level } | undefined)?.level;
  }

  /** @param level undefined: nothing is said of it */
  set(workspaceId: string, level: Level | undefined): void {
    if (level === undefined) this.#db.prepare('DELETE FROM levels WHERE workspace_id = ?').run(workspaceId);
    else this.#db.prepare('INSERT OR REPLACE INTO levels (workspace_id, level) VALUES (?, ?)').run(workspaceId, level);
  }
}
