import type { DatasetAction } from '@redoubt/contract';
import { sql, type Selectable } from 'kysely';
import { hasRightsOnAllDatasets } from '../../platform/auth/access.ts';
import { hasOwnDatasets, serializeCredentialScope, type Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { createAccessCache } from '../../platform/db/access-cache.ts';
import type { DatasetTable } from '../../platform/db/schema.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { selectMemberGroups, groupSubjectOf } from '../groups/index.ts';

/** What one may do, as bits: 1 read, 2 write, 4 manage (which comes with both others). */
export const datasetAccessBits = { read: 1, write: 2, manage: 4 } as const;
const everything = datasetAccessBits.read | datasetAccessBits.write | datasetAccessBits.manage;

const bitsOfAction: Readonly<Record<DatasetAction, number>> = { ...datasetAccessBits, manage: everything };

const bitsOf = (actions: readonly DatasetAction[]): number =>
  actions.reduce((all, action) => all | bitsOfAction[action], 0);

/** The bits of the grants to groups that count for the actor, on the dataset of each row of `datasets`. */
const grantedTo = (db: Db, actor: Member) => sql<number>`(
    select coalesce(bit_or(case action when 'read' then ${datasetAccessBits.read}::integer
      when 'write' then ${datasetAccessBits.write}::integer else ${everything}::integer end), 0)
    from dataset_permissions
    where dataset_permissions.dataset_id = datasets.id
      and dataset_permissions.group_id in ${selectMemberGroups(db, groupSubjectOf(actor))}
  )`;

/** The bits of the person, and of a key of theirs. */
const unboundedAccessTo = (db: Db, actor: Member) => {
  if (!hasOwnDatasets(actor)) return grantedTo(db, actor);
  if (hasRightsOnAllDatasets(actor)) return sql<number>`${everything}::integer`;
  return sql<number>`case when datasets.created_by = ${actor.accountId} then ${everything}::integer
    else ${grantedTo(db, actor)} end`;
};

/**
 * The bits of the actor on the dataset of each row of `datasets`: all for admins of the workspace, holders of
 * manage-datasets and the owner, else those of the grants to groups that the actor is in. A key has the grants to its groups alone, and
 * an application that named the datasets that it works with no others.
 */
export const selectAccessBits = (db: Db, actor: Member) => {
  const bits = unboundedAccessTo(db, actor);
  const most = actor.narrowing?.datasets;
  if (most === undefined) return bits;
  const mostBits = Object.fromEntries([...most].map(([id, actions]) => [id, bitsOf(actions)]));
  return sql<number>`(${bits}) & coalesce((${JSON.stringify(mostBits)}::text::jsonb ->> datasets.id)::integer, 0)`;
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

/** Names all that decides what the actor may do, beside what stands in the database. */
const rememberedAs = (actor: Member, ...what: readonly string[]): string => {
  const { accountId, workspace, credential } = actor;
  const all = hasRightsOnAllDatasets(actor);
  return JSON.stringify([
    accountId,
    workspace.uniqueId,
    all,
    credential.kind,
    serializeCredentialScope(actor),
    ...what,
  ]);
};

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
    .select(selectAccessBits(db, actor).as('bits'))
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
    .select(selectAccessBits(db, actor).as('bits'))
    .execute();
  return withBits(rows);
};

const withBits = (rows: readonly (Selectable<DatasetTable> & { bits: number })[]): DatasetAccessRow[] =>
  rows.filter(({ bits }) => bits !== 0).map(({ bits, ...dataset }) => ({ dataset, bits }));

export const createDatasetAccessRepository = (db: Db): DatasetAccessRepository => {
  const remembered = createAccessCache(db, rememberedDatasets, { withCatalog: true });
  return {
    find: (actor, datasetId) => {
      const key = rememberedAs(actor, 'one', datasetId);
      return remembered(key, () => findDataset(db, actor, datasetId));
    },
    findNamed: (actor, names) => {
      const key = rememberedAs(actor, 'named', ...names);
      const find = (): Promise<DatasetAccessRow[]> => findNamed(db, actor, names);
      return key.length > longestRemembered ? find() : remembered(key, find);
    },
    findAll: async (actor, ids) => {
      let query = db
        .selectFrom('datasets')
        .where('datasets.workspace_uid', '=', actor.workspace.uniqueId)
        .selectAll('datasets')
        .select(selectAccessBits(db, actor).as('bits'))
        .orderBy(sql`datasets.name collate "C"`)
        .orderBy('datasets.id');
      if (ids !== undefined) query = query.where('datasets.id', 'in', textListSubquery(ids));
      return withBits(await query.execute());
    },
  };
};
