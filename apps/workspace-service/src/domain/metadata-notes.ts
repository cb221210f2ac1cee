import { displayText } from '@switchyard/agents';
import type { KeyedRecord, LogRecord } from './metadata.js';
import type { Model } from './model.js';

/** Enough to show; whoever wants all of it asks. */
const SHOWN = 256;

const shown = (text: string): string => displayText(text, SHOWN);

/** Part of a change: tells that an entry was set, or is gone. */
export function tellChange(model: Model, record: KeyedRecord, gone: boolean): void {
  const place = { workspace_id: record.workspaceId, surface_id: null };
  const { key } = record;
  if (record.kind === 'status') {
    const { label, value, color } = record;
    const data = gone ? { key, label: null, value: null, color: null } : { key, label, value: shown(value), color };
    model.note({ kind: 'metadata.status_changed', ...place, data });
  } else if (record.kind === 'progress') {
    const { label, value, total } = record;
    const data = gone ? { key, label: null, value: null, total: null } : { key, label, value, total };
    model.note({ kind: 'metadata.progress_changed', ...place, data });
  } else {
    const data = { key, bytes: gone ? null : Buffer.byteLength(record.markdown) };
    model.note({ kind: 'metadata.block_changed', ...place, data });
  }
}

export function tellLogged(model: Model, { workspaceId, level, message, source }: LogRecord): void {
  const data = { level, message: shown(message), source };
  model.note({ kind: 'metadata.logged', workspace_id: workspaceId, surface_id: null, data });
}
