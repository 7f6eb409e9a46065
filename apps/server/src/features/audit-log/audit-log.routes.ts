import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { AuditLogService } from './audit-log.service.ts';

export const createAuditLogRoutes = (log: AuditLogService): RouteBinding[] => [
  bindMember(routes.queryAuditLog, ({ actor, body, query }) => log.query(actor, { ...query, ...body })),
  bindMember(routes.listAuditLogConfigs, ({ actor, list }) => log.listConfigs(actor, list)),
  bindMember(routes.patchAuditLogConfig, ({ actor, params, body }) =>
    log.patchConfig(actor, params.auditLogConfigsId, body),
  ),
];
