import type { DatasetAction } from '@redoubt/contract';
import { sql, type Selectable } from 'kysely';
import { hasRightsOnAllDatasets } from '../../platform/auth/access.ts';
import { hasOwnDatasets, serializeCredentialScope, type Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { createAccessCache } from '../../platform/db/access-cache.ts';
import type { DatasetTable } from '../../platform/db/schema.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { selectMemberGroups, groupSubjectOf } from '../groups/index.ts';

/** Permissions as bits. Manage always comes with the other two. */
export const datasetAccessBits = { read: 1, write: 2, manage: 4 } as const;
const allBits = datasetAccessBits.read | datasetAccessBits.write | datasetAccessBits.manage;

const bitsOfAction: Readonly<Record<DatasetAction, number>> = { ...datasetAccessBits, manage: allBits };

const bitsOf = (actions: readonly DatasetAction[]): number =>
  actions.reduce((all, action) => all | bitsOfAction[action], 0);

/** SQL for the bits that grants to the actor's groups give on the dataset of each row of `datasets`. */
const grantedTo = (db: Db, actor: Member) => sql<number>`(
    select coalesce(bit_or(case action when 'read' then ${datasetAccessBits.read}::integer
      when 'write' then ${datasetAccessBits.write}::integer else ${allBits}::integer end), 0)
    from dataset_permissions
    where dataset_permissions.dataset_id = datasets.id
      and dataset_permissions.group_id in ${selectMemberGroups(db, groupSubjectOf(actor))}
  )`;

/** SQL for the actor's bits, before the scope of an application limits them. */
const unscopedAccessTo = (db: Db, actor: Member) => {
  if (!hasOwnDatasets(actor)) return grantedTo(db, actor);
  if (hasRightsOnAllDatasets(actor)) return sql<number>`${allBits}::integer`;
  return sql<number>`case when datasets.created_by = ${actor.accountId} then ${allBits}::integer
    else ${grantedTo(db, actor)} end`;
};

/**
 * SQL for the actor's bits on the dataset of each row of `datasets`. Workspace admins, holders of manage-datasets and the
 * owner have all of them; others have what is granted to their groups. A key has only the grants to its own groups. An
 * application with a list of datasets has no access to others.
 */
export const selectAccessBits = (db: Db, actor: Member) => {
  const bits = unscopedAccessTo(db, actor);
  const scope = actor.scope?.datasets;
  if (scope === undefined) return bits;
  const scopeBits = Object.fromEntries([...scope].map(([id, actions]) => [id, bitsOf(actions)]));
  return sql<number>`(${bits}) & coalesce((${JSON.stringify(scopeBits)}::text::jsonb ->> datasets.id)::integer, 0)`;
};

export interface DatasetAccessRow {
  dataset: Selectable<DatasetTable>;
  bits: number;
}

export interface DatasetAccessRepository {
  /** Returns the dataset with the actor's bits; undefined if it does not exist or the actor has none. */
  find(actor: Member, datasetId: string): Promise<DatasetAccessRow | undefined>;
  /** Returns the datasets with these ids or names where the actor has some bits. Names ignore the case of A to Z. */
  findNamed(actor: Member, names: readonly string[]): Promise<DatasetAccessRow[]>;
  /** Returns the datasets where the actor has some bits, ordered by name; only those with these ids if they are given. */
  findAll(actor: Member, ids: readonly string[] | undefined): Promise<DatasetAccessRow[]>;
}

const maxCachedDatasets = 10_000;
/** Lookups with a longer cache key are not cached, so that statements with many names do not fill the cache. */
const maxCacheKeyLength = 1000;

/** The cache key contains everything outside the database that decides what the actor may do. */
const cacheKeyOf = (actor: Member, ...query: readonly string[]): string => {
  const { accountId, workspace, credential } = actor;
  const all = hasRightsOnAllDatasets(actor);
  return JSON.stringify([
    accountId,
    workspace.uniqueId,
    all,
    credential.kind,
    serializeCredentialScope(actor),
    ...query,
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
  const cached = createAccessCache(db, maxCachedDatasets, { withCatalog: true });
  return {
    find: (actor, datasetId) => {
      const key = cacheKeyOf(actor, 'one', datasetId);
      return cached(key, () => findDataset(db, actor, datasetId));
    },
    findNamed: (actor, names) => {
      const key = cacheKeyOf(actor, 'named', ...names);
      const find = (): Promise<DatasetAccessRow[]> => findNamed(db, actor, names);
      return key.length > maxCacheKeyLength ? find() : cached(key, find);
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
