import type { Migration } from '@switchyard/store/sqlite';

/**
 * `reviews`: the reviews there are, and closed ones that have comments left. `review_files`: what each shows.
 * `texts`: the files that comments were written on, line by line; `comments`; `sendings`: messages that were or may have
 * been given to the prompt path, one a review; `requests`: answers to what may be asked again.
 */
export const REVIEW_MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE reviews (
    surface_id TEXT PRIMARY KEY,
    source_id TEXT NOT NULL,
    directory TEXT NOT NULL,
    mode TEXT NOT NULL,
    base_asked TEXT,
    base_branch TEXT NOT NULL,
    base_commit TEXT,
    generation INTEGER NOT NULL,
    generated_at INTEGER NOT NULL,
    file_count INTEGER NOT NULL,
    diffable_file_count INTEGER NOT NULL,
    closed_at INTEGER
  ) STRICT;
  CREATE TABLE review_files (
    surface_id TEXT NOT NULL REFERENCES reviews ON DELETE CASCADE,
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    renamed_from TEXT,
    json TEXT NOT NULL,
    PRIMARY KEY (surface_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX review_file_paths ON review_files (surface_id, path);
  CREATE TABLE texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE comments (
    id TEXT PRIMARY KEY,
    surface_id TEXT NOT NULL REFERENCES reviews ON DELETE CASCADE,
    file_path TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    is_stale INTEGER NOT NULL,
    is_changed INTEGER NOT NULL,
    excerpt TEXT NOT NULL,
    anchor_path TEXT NOT NULL,
    anchor_start INTEGER NOT NULL,
    anchor_end INTEGER NOT NULL,
    anchor_hash TEXT REFERENCES texts,
    sending TEXT
  ) STRICT;
  CREATE INDEX comments_of_review ON comments (surface_id);
  CREATE INDEX comments_on_text ON comments (anchor_hash);
  CREATE TABLE sendings (
    surface_id TEXT PRIMARY KEY REFERENCES reviews ON DELETE CASCADE,
    id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    text TEXT NOT NULL,
    comment_count INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE requests (
    seq INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL UNIQUE,
    method TEXT NOT NULL,
    result TEXT NOT NULL
  ) STRICT`,
];
