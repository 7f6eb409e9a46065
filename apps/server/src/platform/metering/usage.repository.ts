import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { keepsCacheMark } from '../db/access-cache.ts';
import type { UsageMeter } from '../db/schema.ts';

export interface UsageAmount {
  workspaceUid: string;
  meter: UsageMeter;
  amount: number;
}

export interface UsageRepository {
  /** Adds to the stored amounts. Ignores deleted workspaces. */
  add(day: string, amounts: readonly UsageAmount[]): Promise<void>;
  /** Raises the stored amounts to at least these. */
  raise(day: string, amounts: readonly UsageAmount[]): Promise<void>;
  /** Whether the storage of that day was measured. */
  isMeasured(day: string): Promise<boolean>;
  /** Every dataset with its workspace. */
  datasets(): Promise<{ id: string; workspaceUid: string }[]>;
  /** Bytes of people's files, by workspace. */
  files(): Promise<{ workspaceUid: string; bytes: number }[]>;
  workspaces(): Promise<string[]>;
}

/** Every process locks the rows in the same order, so that concurrent calls cannot deadlock. */
const store = (db: Db, day: string, amounts: readonly UsageAmount[], kept: 'sum' | 'larger') => {
  const rows = JSON.stringify(
    amounts.map(({ workspaceUid, meter, amount }) => ({ uid: workspaceUid, meter, amount })),
  );
  const amount =
    kept === 'sum'
      ? sql`usage_days.amount + excluded.amount`
      : sql`greatest(usage_days.amount, excluded.amount)`;
  return sql`${keepsCacheMark}
    insert into usage_days (workspace_uid, day, meter, amount)
    select workspaces.unique_id, ${day}::text, used.meter, used.amount
    from json_to_recordset(${rows}::json) as used(uid text, meter text, amount double precision)
    join workspaces on workspaces.unique_id = used.uid
    order by 1, 3
    on conflict (workspace_uid, day, meter) do update set amount = ${amount}`.execute(db);
};

export const createUsageRepository = (db: Db): UsageRepository => ({
  add: async (day, amounts) => {
    if (amounts.length > 0) await store(db, day, amounts, 'sum');
  },
  raise: async (day, amounts) => {
    if (amounts.length > 0) await store(db, day, amounts, 'larger');
  },
  isMeasured: async (day) => {
    const row = await db
      .selectFrom('usage_days')
      .where('day', '=', day)
      .where('meter', '=', 'base')
      .select('day')
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },
  datasets: () =>
    db.selectFrom('datasets').select(['id', 'workspace_uid as workspaceUid']).orderBy('id').execute(),
  files: () =>
    db
      .selectFrom('ingest_files')
      .innerJoin('uploads', 'uploads.id', 'ingest_files.upload_id')
      .innerJoin('datasets', 'datasets.id', 'uploads.dataset_id')
      .where('ingest_files.object_name', 'is not', null)
      .groupBy('datasets.workspace_uid')
      .select([
        'datasets.workspace_uid as workspaceUid',
        sql<number>`coalesce(sum(ingest_files.size), 0)::double precision`.as('bytes'),
      ])
      .execute(),
  workspaces: async () => {
    const rows = await db.selectFrom('workspaces').select('unique_id').orderBy('unique_id').execute();
    return rows.map(({ unique_id: uniqueId }) => uniqueId);
  },
});
