import { sql, type Selectable } from 'kysely';
import { isAdmin, type Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { createRemembered } from '../../platform/db/remembered.ts';
import type { DatasetTable } from '../../platform/db/schema.ts';
import { groupsOf } from '../groups/index.ts';

/** What one may do, as bits: 1 read, 2 write, 4 manage (which comes with both others). */
export const accessBits = { read: 1, write: 2, manage: 4 } as const;
const everything = accessBits.read | accessBits.write | accessBits.manage;

/**
 * The bits of the actor on the dataset of each row of `datasets`: all for admins of the workspace and for who
 * made it, else those of the grants to groups that the actor is in.
 */
export const accessTo = (db: Db, actor: Member) => {
  if (isAdmin(actor)) return sql<number>`${everything}::integer`;
  const subject = { workspaceUid: actor.workspace.uniqueId, accountId: actor.accountId };
  return sql<number>`case when datasets.created_by = ${actor.accountId} then ${everything}::integer else (
    select coalesce(bit_or(case action when 'read' then ${accessBits.read}::integer
      when 'write' then ${accessBits.write}::integer else ${everything}::integer end), 0)
    from dataset_permissions
    where dataset_permissions.dataset_id = datasets.id and dataset_permissions.group_id in ${groupsOf(db, subject)}
  ) end`;
};

export interface DatasetAccessRow {
  dataset: Selectable<DatasetTable>;
  bits: number;
}

export interface DatasetAccessRepository {
  /** The dataset with the actor's bits; undefined where there is none, or where they have none. */
  find(actor: Member, datasetId: string): Promise<DatasetAccessRow | undefined>;
  /** The datasets with these ids, or these names in any case of A to Z, where the actor has some bits. */
  findNamed(actor: Member, names: readonly string[]): Promise<DatasetAccessRow[]>;
  /** All datasets where the actor has some bits, or those with these ids, by name. */
  findAll(actor: Member, ids: readonly string[] | undefined): Promise<DatasetAccessRow[]>;
}

const rememberedDatasets = 10_000;
/** Characters of the names in a statement, beyond which what they mean is looked up each time. */
const longestRemembered = 1000;

const findDataset = async (
  db: Db,
  actor: Member,
  datasetId: string,
): Promise<DatasetAccessRow | undefined> => {
  const row = await db
    .selectFrom('datasets')
    .where('datasets.workspace_uid', '=', actor.workspace.uniqueId)
    .where('datasets.id', '=', datasetId)
    .selectAll('datasets')
    .select(accessTo(db, actor).as('bits'))
    .executeTakeFirst();
  if (row === undefined || row.bits === 0) return undefined;
  const { bits, ...dataset } = row;
  return { dataset, bits };
};

const findNamed = async (db: Db, actor: Member, names: readonly string[]): Promise<DatasetAccessRow[]> => {
  const lower = names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));
  const rows = await db
    .selectFrom('datasets')
    .where('datasets.workspace_uid', '=', actor.workspace.uniqueId)
    .where(({ eb, or }) =>
      or([eb('datasets.id', 'in', lower), eb(sql<string>`lower(datasets.name collate "C")`, 'in', lower)]),
    )
    .selectAll('datasets')
    .select(accessTo(db, actor).as('bits'))
    .execute();
  return withBits(rows);
};

/** Of any length: a list of parameters has a bound, a text of JSON has none. */
const listed = (ids: readonly string[]) =>
  sql`select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`;

const withBits = (rows: readonly (Selectable<DatasetTable> & { bits: number })[]): DatasetAccessRow[] =>
  rows.filter(({ bits }) => bits !== 0).map(({ bits, ...dataset }) => ({ dataset, bits }));

export const createDatasetAccessRepository = (db: Db): DatasetAccessRepository => {
  const remembered = createRemembered(db, rememberedDatasets);
  return {
    find: (actor, datasetId) => {
      const { uniqueId, role } = actor.workspace;
      const key = JSON.stringify([actor.accountId, uniqueId, role, datasetId]);
      return remembered(key, () => findDataset(db, actor, datasetId));
    },
    findNamed: (actor, names) => {
      const { uniqueId, role } = actor.workspace;
      const key = JSON.stringify(['named', actor.accountId, uniqueId, role, ...names]);
      const find = (): Promise<DatasetAccessRow[]> => findNamed(db, actor, names);
      return key.length > longestRemembered ? find() : remembered(key, find);
    },
    findAll: async (actor, ids) => {
      let query = db
        .selectFrom('datasets')
        .where('datasets.workspace_uid', '=', actor.workspace.uniqueId)
        .selectAll('datasets')
        .select(accessTo(db, actor).as('bits'))
        .orderBy(sql`datasets.name collate "C"`)
        .orderBy('datasets.id');
      if (ids !== undefined) query = query.where(sql`datasets.id`, 'in', sql`(${listed(ids)})`);
      return withBits(await query.execute());
    },
  };
};
