import type { RecordStore } from '@redoubt/records';
import { createAuditConfigRepository, type AuditLog } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import { createAuditLogRoutes } from './audit-log.routes.ts';
import { createAuditLogService } from './audit-log.service.ts';

/** Wires queries of the audit log, and the configuration of how long events are kept. */
export const wireAuditLog = ({
  db,
  audit,
  held,
  store,
}: {
  db: Db;
  audit: AuditLog;
  held: HeldAttributes;
  store: Pick<RecordStore, 'audit'>;
}): RouteBinding[] =>
  createAuditLogRoutes(
    createAuditLogService({
      audit,
      configs: createAuditConfigRepository(db),
      heldTokens: held.heldTokens,
      store: store.audit,
    }),
  );
