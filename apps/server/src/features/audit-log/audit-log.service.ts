import type {
  AuditLogConfiguration,
  AuditLogConfigurationPatch,
  AuditLogEvent,
  AuditLogQuery,
  ListQuery,
} from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import { evaluateLabel, parseLabel } from '@redoubt/labels';
import { decodeClientExpression, parseLucene } from '@redoubt/query';
import type { AuditStore, FoundEvent } from '@redoubt/records';
import {
  createAuditConfigRepository,
  markOfAuthor,
  type AuditConfigRepository,
  type AuditLog,
} from '../../platform/audit/index.ts';
import { hasPermission, type Member } from '../../platform/auth/actor.ts';
import { requireCall } from '../../platform/auth/access.ts';
import { refuseChanges } from '../../platform/auth/guards.ts';
import type { Page } from '../../platform/db/list.ts';
import type { HeldAttributes } from '../attributes/index.ts';

export interface AuditLogService {
  query(actor: Member, query: AuditLogQuery): Promise<Page<AuditLogEvent>>;
  listConfigs(actor: Member, list: ListQuery): Promise<Page<AuditLogConfiguration>>;
  patchConfig(actor: Member, id: string, patch: AuditLogConfigurationPatch): Promise<AuditLogConfiguration>;
}

export interface AuditLogServiceDeps {
  audit: Pick<AuditLog, 'change' | 'settle'>;
  configs: AuditConfigRepository;
  heldTokens: HeldAttributes['heldTokens'];
  store: Pick<AuditStore, 'labels' | 'search'>;
}

const defaultLimit = 10;

/** Whether the attributes satisfy a label. Nobody satisfies a label that cannot be parsed. */
const isSatisfied = (label: string, attributes: ReadonlySet<string>): boolean => {
  try {
    return evaluateLabel(parseLabel(label), attributes);
  } catch {
    return false;
  }
};

/** The event as it is shown to a reader who satisfies these labels: hidden records are not counted. */
const presentEvent = (
  { shown, labels }: FoundEvent,
  satisfied: ReadonlySet<string>,
  withInternalFields: boolean,
): AuditLogEvent => {
  const event = JSON.parse(shown) as AuditLogEvent;
  const counts = labels.flatMap(([label, count]) => (satisfied.has(label) ? [count] : []));
  const recordCount = counts.reduce((sum, count) => sum + count, 0);
  const isAboutRecords = labels.some(([, count]) => count > 0);
  return {
    ...event,
    details: isAboutRecords ? { ...event.details, recordCount } : event.details,
    ...(withInternalFields ? { _koverse_record_id: event.id, _koverse_timestamp: event.timestampMs } : {}),
  };
};

export const createAuditLogService = ({
  audit,
  configs,
  heldTokens,
  store,
}: AuditLogServiceDeps): AuditLogService => ({
  query: async (actor, { expression, datasetId, limit = 0, offset = 0, includeInternalFields }) => {
    const tree = parseLucene(decodeClientExpression(expression));
    const workspace = actor.workspace.uniqueId;
    await audit.settle();
    const attributes = new Set(await heldTokens(actor));
    const satisfied = new Set(
      (await store.labels(workspace)).filter((label) => isSatisfied(label, attributes)),
    ).add(markOfAuthor(actor.accountId));
    const rows = limit === 0 ? defaultLimit : limit;
    const found = await store.search({
      workspace,
      userId: hasPermission(actor, 'manage-audit-log') ? undefined : actor.accountId,
      // These events contain tokens, which only attribute managers may see.
      without: hasPermission(actor, 'manage-attributes')
        ? undefined
        : { types: ['AttributeManagement'], butOf: actor.accountId },
      labels: [...satisfied],
      datasetId: datasetId ?? undefined,
      tree,
      limit: rows,
      offset,
      person: actor.accountId,
    });
    return {
      total: found.total,
      limit: rows,
      skip: offset,
      data: found.events.map((event) => presentEvent(event, satisfied, includeInternalFields === true)),
    };
  },

  listConfigs: (actor, list) => {
    requireCall(actor, 'listAuditLogConfigs', 'see how long audit events are kept');
    return configs.list(actor.workspace, list);
  },

  patchConfig: async (actor, id, { keepForever, ageInDays, ...fixed }) => {
    requireCall(actor, 'patchAuditLogConfig', 'change how long audit events are kept');
    const config = await configs.find(actor.workspace, id);
    if (config === undefined) throw notFound('audit log configuration', id);
    refuseChanges({ id, workspaceId: config.workspaceId, datasetId: config.datasetId }, fixed);
    const changed = {
      ...config,
      keepForever: keepForever ?? config.keepForever,
      ageInDays: ageInDays ?? config.ageInDays,
    };
    const event = {
      type: 'AuditLogConfigManagement' as const,
      description: changed.keepForever
        ? 'set audit events to be kept forever'
        : `set audit events to be deleted after ${changed.ageInDays} days`,
      datasetId: config.datasetId ?? undefined,
      details: { keepForever: changed.keepForever, ageInDays: changed.ageInDays },
    };
    await audit.change(actor, event, (trx) =>
      createAuditConfigRepository(trx).update(actor.workspace.uniqueId, id, { keepForever, ageInDays }),
    );
    return changed;
  },
});
