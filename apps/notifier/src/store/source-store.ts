import type { Database } from '@switchyard/store/sqlite';
import { NO_TURNS, type Turns } from '../domain/agent-turns.js';

/** Of more surfaces than a yard ever has: those that were heard longest ago are gone with their logs. */
const MOST_SURFACES = 10_000;
/** A repeat comes within minutes. */
const MOST_CAUSES = 5000;

/** How far the sources have been taken in. With it a restart goes on where the last run was, and makes nothing twice. */
export class SourceStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Offset of the last signal of a surface that was taken. */
  heardTo(surfaceId: string): number {
    const row = this.#db.prepare('SELECT upto FROM heard WHERE surface_id = ?').get(surfaceId);
    return (row as { upto: number } | undefined)?.upto ?? 0;
  }

  setHeard(surfaceId: string, upto: number, at: number): void {
    this.#run('INSERT OR REPLACE INTO heard (surface_id, upto, at) VALUES (?, ?, ?)', surfaceId, upto, at);
    this.#run(
      'DELETE FROM heard WHERE surface_id IN (SELECT surface_id FROM heard ORDER BY at DESC LIMIT -1 OFFSET ?)',
      MOST_SURFACES,
    );
  }

  /** What was answered to a cause that was there before; undefined: it is new. */
  answerTo(cause: string): unknown {
    const row = this.#db.prepare('SELECT answer FROM causes WHERE cause = ?').get(cause);
    return row === undefined ? undefined : JSON.parse((row as { answer: string }).answer);
  }

  remember(cause: string, answer: unknown): void {
    this.#run('INSERT INTO causes (cause, answer) VALUES (?, ?)', cause, JSON.stringify(answer));
    this.#run('DELETE FROM causes WHERE seq <= (SELECT max(seq) FROM causes) - ?', MOST_CAUSES);
  }

  turnsOf(surfaceId: string): Turns {
    const row = this.#db.prepare('SELECT facts FROM turns WHERE surface_id = ?').get(surfaceId);
    return row === undefined ? NO_TURNS : (JSON.parse((row as { facts: string }).facts) as Turns);
  }

  /** @param workspaceId that the surface is in; null: as before */
  setTurns(surfaceId: string, turns: Turns, workspaceId: string | null = null): void {
    this.#run(
      `INSERT INTO turns (surface_id, workspace_id, facts) VALUES (?, ?, ?) ON CONFLICT (surface_id)
        DO UPDATE SET workspace_id = coalesce(excluded.workspace_id, workspace_id), facts = excluded.facts`,
      surfaceId,
      workspaceId,
      JSON.stringify(turns),
    );
  }

  /** The workspace that a surface was in. */
  workspaceOf(surfaceId: string): string | null {
    const row = this.#db.prepare('SELECT workspace_id FROM turns WHERE surface_id = ?').get(surfaceId);
    return (row as { workspace_id: string | null } | undefined)?.workspace_id ?? null;
  }

  forgetTurns(surfaceId: string): void {
    this.#run('DELETE FROM turns WHERE surface_id = ?', surfaceId);
  }

  /** Surfaces of which something is to be told, and when. */
  dues(): { readonly surfaceId: string; readonly dueAt: number }[] {
    const rows = this.#db.prepare(`SELECT surface_id, json_extract(facts, '$.pending.dueAt') AS due FROM turns`).all();
    return (rows as { surface_id: string; due: number | null }[]).flatMap(({ surface_id, due }) =>
      due === null ? [] : [{ surfaceId: surface_id, dueAt: due }],
    );
  }

  /** Up to where the journal was read; undefined: never. */
  position(): { readonly journal: string; readonly seq: number } | undefined {
    return this.#db.prepare('SELECT journal, seq FROM place').get() as ReturnType<SourceStore['position']>;
  }

  setPosition(journal: string, seq: number): void {
    this.#run('INSERT OR REPLACE INTO place (one, journal, seq) VALUES (1, ?, ?)', journal, seq);
  }

  #run(sql: string, ...values: (string | number | null)[]): void {
    this.#db.prepare(sql).run(...values);
  }
}
