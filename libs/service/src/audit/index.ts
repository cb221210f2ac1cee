export { isAudited, targetOf } from '../domain/audit-entry.js';
export { type AuditEntry, AuditLog, type AuditQuery } from './audit-log.js';
export { surfaceOfProcess } from './caller-surface.js';
export { parentOf } from './parent-process.js';
export { type PeerCredentials, peerCredentials } from './peer-credentials.js';
