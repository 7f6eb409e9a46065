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
  { description: 'What an event is about.' },
);
export type AuditEventType = (typeof auditEventTypes)[number];

export const AuditLogEvent = Type.Object(
  {
    id: Type.String(),
    type: AuditEventType,
    userId: nullable(Type.String({ description: 'Who acted; null where nobody is known.' })),
    timestampMs: Type.Integer({ description: 'When, in milliseconds since 1970 UTC.' }),
    description: Type.String(),
    sourceIP: nullable(Type.String({ description: 'Where the request came from; null for what a job did.' })),
    datasetId: nullable(Type.String()),
    actor: Type.String({ description: 'The email address of who acted; empty where nobody is known.' }),
    details: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'What else is known. For events about records, `recordCount` counts those whose label the caller satisfies.',
      },
    ),
    _koverse_record_id: Type.Optional(
      Type.String({ description: 'The id again, where internal fields were asked for.' }),
    ),
    _koverse_timestamp: Type.Optional(
      Type.Integer({ description: 'The time again, where internal fields were asked for.' }),
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
        'A query in the Lucene syntax over the fields of events, plain or percent-encoded: `type:Login`, `details.outcome:refused`, `timestampMs:>=1767225600000`, or words of any field; `*:*` is everything. The counts of records are not searched.',
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: largest,
        description: 'Events in the answer; absent or 0 means 10, -1 means all.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: largest, default: 0, description: 'Events to pass over.' }),
    ),
    orderedResults: Type.Optional(
      Type.Boolean({ description: 'Sent by clients. Answers are always in order, the newest event first.' }),
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
      description: 'Events that are older are removed, unless they are kept forever.',
    }),
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    datasetId: nullable(
      Type.String({
        description: 'The dataset whose events it is for; null for all other events of the workspace.',
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
      'The events of the workspace that match, newest first, up to those of the moment. An event about records is there for those who satisfy the label of one of them.',
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
    description: 'One row for the workspace and one for each of its datasets.',
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
      'Events that are too old are removed within the hour. Their places in the chain of the log stay, so that it can be checked.',
    caller: 'member',
    bearer: true,
    params: strictObject({ auditLogConfigsId: IdParam }),
    body: AuditLogConfigurationPatch,
    success: { status: 200, description: 'The configuration.', schema: AuditLogConfiguration },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
