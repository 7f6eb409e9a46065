import { Type, type Static } from 'typebox';
import { nullable, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

/** What the query history keeps. */
export const queryHistoryLimits = {
  /** How many days a run is kept. */
  days: 30,
  /** How many runs of one person in one workspace are kept. */
  runs: 1000,
  /** How many characters of the text of a run are kept. */
  text: 20_000,
} as const;

export const QueryRun = strictObject(
  {
    id: Uuid,
    text: Type.String({ description: 'The SQL; of a longer text the first 20,000 characters.' }),
    isCut: Type.Boolean({ description: 'Whether the text was longer.' }),
    status: Type.Enum(['completed', 'failed', 'canceled'], {
      description: 'canceled: you canceled it, or the connection broke.',
    }),
    rows: nullable(
      Type.Integer({ minimum: 0, description: 'The rows that were returned; null unless it completed.' }),
    ),
    milliseconds: Type.Integer({ minimum: 0, description: 'How long it ran, rounded to 100.' }),
    startedAt: Timestamp,
  },
  { title: 'QueryRun', description: 'SQL that a person ran in the console. Only they see it.' },
);
export type QueryRun = Static<typeof QueryRun>;

export const DeletedHistory = strictObject(
  { deleted: Type.Integer({ minimum: 0, description: 'How many runs were deleted.' }) },
  { title: 'DeletedHistory' },
);

const errors = ['AuthError', 'ForbiddenError'] as const;

export const queryHistoryRoutes = {
  listQueryHistory: defineRoute({
    method: 'GET',
    path: '/query-history',
    operationId: 'listQueryHistory',
    tag: 'Query history',
    summary: 'List what you ran',
    description:
      'Returns a page of the SQL that you ran in the console in this workspace: the last 1,000 runs of the last 30 days.',
    caller: 'member',
    bearer: true,
    list: { entity: QueryRun, filters: ['id', 'status', 'rows', 'milliseconds', 'startedAt'] },
    success: { status: 200, description: 'A page of runs.', schema: toPageSchema(QueryRun) },
    errors,
  }),
  deleteQueryHistory: defineRoute({
    method: 'DELETE',
    path: '/query-history',
    operationId: 'deleteQueryHistory',
    tag: 'Query history',
    summary: 'Delete your history',
    description: 'Deletes all runs that GET /query-history returns.',
    caller: 'member',
    bearer: true,
    success: { status: 200, description: 'The history is empty.', schema: DeletedHistory },
    errors,
  }),
} as const;
