export { adoptChains } from './adopt.ts';
export { createAuditLog, type Audit, type AuditLog } from './audit.ts';
export { createAuditConfigRepository, type AuditConfigRepository } from './audit-config.repository.ts';
export { auditedBy, type Audited } from './audited.ts';
export { markOfAuthor, type AuditEvent, type Author } from './event.ts';
export type { ChainReport } from './verify.ts';
