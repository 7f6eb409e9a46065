import { Type } from 'typebox';
import { BooleanParameter, IdParam, nullable, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const auditEventTypes = [
  'Login',
  'UserProfileManagement',
  'UserManagement',
  'AuditLogConfigManagement',
  'WorkspaceManagement',
  'AttributeManagement',
  'GroupManagement',
  'DatasetManagement',
  'BillingPlanManagement',
  'DataDownload',
  'IdentityProviderManagement',
  'WriteRecords',
] as const;

export const AuditEventType = Type.Union(
  auditEventTypes.map((type) => Type.Literal(type)),
  { description: 'The type of an event.' },
);
export type AuditEventType = (typeof auditEventTypes)[number];

export const AuditLogEvent = Type.Object(
  {
    id: Type.String(),
    type: AuditEventType,
    userId: nullable(Type.String({ description: 'The id of the person who acted; null if unknown.' })),
    timestampMs: Type.Integer({ description: 'The time of the event, in milliseconds since 1970 UTC.' }),
    description: Type.String(),
    sourceIP: nullable(
      Type.String({ description: 'The IP address of the request; null for events of jobs.' }),
    ),
    datasetId: nullable(Type.String()),
    actor: Type.String({ description: 'The email address of the person who acted; empty if unknown.' }),
    details: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Further facts. For events about records, `recordCount` counts only records whose label you satisfy.',
      },
    ),
    _koverse_record_id: Type.Optional(
      Type.String({ description: 'The id again, if you request internal fields.' }),
    ),
    _koverse_timestamp: Type.Optional(
      Type.Integer({ description: 'The time again, if you request internal fields.' }),
    ),
  },
  { title: 'AuditLogEvent', additionalProperties: false },
);
export type AuditLogEvent = Type.Static<typeof AuditLogEvent>;

const largest = Number.MAX_SAFE_INTEGER - 1;

export const AuditLogQuery = strictObject(
  {
    datasetId: Type.Optional(nullable(IdParam)),
    expression: Type.String({
      maxLength: 100_000,
      description:
        'A Lucene expression over the fields of events, plain or percent-encoded: `type:Login`, `details.outcome:refused`, `timestampMs:>=1767225600000`, or words in any field. `*:*` finds all events. You cannot search by the number of records.',
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: largest,
        description: 'Events to return: 10 if absent or 0, all if -1.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: largest, default: 0, description: 'Events to skip.' }),
    ),
    orderedResults: Type.Optional(
      Type.Boolean({ description: 'Has no effect: the newest event always comes first.' }),
    ),
    includeInternalFields: Type.Optional(
      Type.Boolean({ description: 'Adds _koverse_record_id and _koverse_timestamp to each event.' }),
    ),
  },
  { title: 'AuditLogQuery', examples: [{ expression: 'type:Login', limit: 20 }] },
);
export type AuditLogQuery = Type.Static<typeof AuditLogQuery>;

export const AuditLogConfiguration = strictObject(
  {
    id: Type.String(),
    keepForever: Type.Boolean(),
    ageInDays: Type.Integer({
      minimum: 1,
      description: 'Older events are removed unless keepForever is true.',
    }),
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    datasetId: nullable(
      Type.String({
        description: 'The dataset whose events it applies to; null for all other events of the workspace.',
      }),
    ),
  },
  { title: 'AuditLogConfiguration' },
);
export type AuditLogConfiguration = Type.Static<typeof AuditLogConfiguration>;

export const AuditLogConfigurationPatch = Type.Partial(
  strictObject({
    id: IdParam,
    keepForever: Type.Boolean(),
    ageInDays: Type.Integer({ minimum: 1, maximum: 36_500 }),
    workspaceId: IdParam,
    datasetId: nullable(IdParam),
  }),
  { title: 'AuditLogConfigurationPatch', additionalProperties: false },
);
export type AuditLogConfigurationPatch = Type.Static<typeof AuditLogConfigurationPatch>;

const tag = 'Audit log';

export const auditLogRoutes = {
  queryAuditLog: defineRoute({
    method: 'POST',
    path: '/audit-log/query',
    operationId: 'queryAuditLog',
    staysOpen: true,
    tag,
    summary: 'Search the audit log',
    description:
      'Returns the matching events of the workspace, newest first. You only see an event about records if you satisfy the label of at least one of them.',
    caller: 'member',
    bearer: true,
    query: strictObject({ includeInternalFields: BooleanParameter('The same as in the body.') }),
    body: AuditLogQuery,
    success: { status: 200, description: 'A page of events.', schema: toPageSchema(AuditLogEvent) },
    errors: ['AuthError', 'ForbiddenError', 'LuceneParseError', 'QueryError'],
  }),
  listAuditLogConfigs: defineRoute({
    method: 'GET',
    path: '/audit-log-configs',
    operationId: 'listAuditLogConfigs',
    tag,
    summary: 'List how long audit events are kept',
    description: 'Returns one entry for the workspace and one for each of its datasets.',
    caller: 'member',
    bearer: true,
    list: {
      entity: AuditLogConfiguration,
      filters: ['id', 'keepForever', 'ageInDays', 'workspaceId', 'datasetId'],
    },
    success: {
      status: 200,
      description: 'A page of configurations.',
      schema: toPageSchema(AuditLogConfiguration),
    },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  patchAuditLogConfig: defineRoute({
    method: 'PATCH',
    path: '/audit-log-configs/{auditLogConfigsId}',
    operationId: 'patchAuditLogConfig',
    tag,
    summary: 'Change how long audit events are kept',
    description:
      'Events that are now too old are removed within an hour. The chain of the log keeps their places, so that it can still be verified.',
    caller: 'member',
    bearer: true,
    params: strictObject({ auditLogConfigsId: IdParam }),
    body: AuditLogConfigurationPatch,
    success: { status: 200, description: 'The configuration.', schema: AuditLogConfiguration },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
