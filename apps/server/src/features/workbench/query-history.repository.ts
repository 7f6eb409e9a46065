import { queryHistoryLimits, type ListQuery, type QueryRun } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';

/** What one person ran in one workspace. */
export interface QueryHistoryRepository {
  /** Runs since `oldest`. */
  list(actor: Member, oldest: Date, list: ListQuery): Promise<Page<QueryRun>>;
  /** Adds a run, and deletes those before `oldest` and beyond the limit. */
  add(actor: Member, run: Omit<QueryRun, 'startedAt'> & { startedAt: Date }, oldest: Date): Promise<void>;
  /** @returns how many were deleted */
  clear(actor: Member): Promise<number>;
}

const columns = {
  id: sql.ref<string>('query_runs.id'),
  status: sql.ref<QueryRun['status']>('query_runs.status'),
  rows: sql<number | null>`query_runs.row_count::double precision`,
  milliseconds: sql<number>`query_runs.milliseconds::double precision`,
  startedAt: sql.ref<Date>('query_runs.started_at'),
};

export const createQueryHistoryRepository = (db: Db): QueryHistoryRepository => {
  const own = ({ accountId, workspace }: Member) =>
    db
      .selectFrom('query_runs')
      .where('query_runs.account_id', '=', accountId)
      .where('query_runs.workspace_uid', '=', workspace.uniqueId);
  return {
    list: async (actor, oldest, list) => {
      const page = await readPage(
        own(actor)
          .where('query_runs.started_at', '>=', oldest)
          .select([
            columns.id.as('id'),
            'query_runs.text',
            'query_runs.is_cut as isCut',
            columns.status.as('status'),
            columns.rows.as('rows'),
            columns.milliseconds.as('milliseconds'),
            columns.startedAt.as('startedAt'),
          ]),
        list,
        columns,
        columns.id,
      );
      return {
        ...page,
        data: page.data.map((row) => ({ ...row, startedAt: row.startedAt.toISOString() })),
      };
    },
    add: async (actor, run, oldest) => {
      const { accountId, workspace } = actor;
      await db
        .insertInto('query_runs')
        .values({
          id: run.id,
          workspace_uid: workspace.uniqueId,
          account_id: accountId,
          text: run.text,
          is_cut: run.isCut,
          status: run.status,
          row_count: run.rows,
          milliseconds: run.milliseconds,
          started_at: run.startedAt,
        })
        .execute();
      const kept = own(actor)
        .where('query_runs.started_at', '>=', oldest)
        .orderBy('query_runs.started_at', 'desc')
        .orderBy('query_runs.id', 'desc')
        .limit(queryHistoryLimits.runs)
        .select('query_runs.id');
      await db
        .deleteFrom('query_runs')
        .where('account_id', '=', accountId)
        .where('workspace_uid', '=', workspace.uniqueId)
        .where('id', 'not in', kept)
        .execute();
    },
    clear: async ({ accountId, workspace }) => {
      const { numDeletedRows } = await db
        .deleteFrom('query_runs')
        .where('account_id', '=', accountId)
        .where('workspace_uid', '=', workspace.uniqueId)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
};
