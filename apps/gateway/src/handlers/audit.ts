import type { HandlersIn } from '@switchyard/protocol';
import type { AuditLog } from '@switchyard/service/audit';
import type { OwnCall } from '../own-call.js';

const DEFAULT_LIMIT = 100;

export function auditHandlers(audit: AuditLog): HandlersIn<'audit', 'gateway', OwnCall> {
  return {
    'audit.read': ({ limit = DEFAULT_LIMIT, before, method, outcome, token }) => ({
      entries: audit.read({ limit, before, method, outcome, token }),
    }),
  };
}
