export { resealChains } from './reseal-chains.ts';
export { createAuditLog, type Audit, type AuditLog } from './audit.ts';
export { createAuditConfigRepository, type AuditConfigRepository } from './audit-config.repository.ts';
export { createAuditedChange, type AuditedChange } from './audited-change.ts';
export { markOfAuthor, type AuditEvent, type AuditActor } from './audit-event.ts';
export type { ChainReport } from './verify.ts';
