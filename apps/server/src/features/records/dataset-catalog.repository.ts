import { createHash } from 'node:crypto';
import { notFound } from '@redoubt/errors';
import type { DatasetCatalog } from '@redoubt/records';
import { sql } from 'kysely';
import { isSingleProcess, type Db } from '../../platform/db/database.ts';
import { createAccessCache, catalogOnlyMark } from '../../platform/db/access-cache.ts';

/** Rows per statement, to stay well below PostgreSQL's limit of 65,535 parameters. */
const chunkSize = 1000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const chunksOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) =>
    items.slice(index * chunkSize, (index + 1) * chunkSize),
  );

/** Paths are stored as JSON strings: keys may contain NUL and lone surrogates, which PostgreSQL's `text` cannot store. */
const encodePath = (path: string): string => JSON.stringify(path);
const decodePath = (text: string): string => JSON.parse(text) as string;

/** Locks the dataset's row until the transaction ends, so that two transactions never assign the same id. */
const lockCounts = (trx: Db, datasetId: string) =>
  trx
    .selectFrom('datasets')
    .select(['label_count', 'path_count'])
    .where('id', '=', datasetId)
    .forUpdate()
    .modifyEnd(catalogOnlyMark)
    .executeTakeFirstOrThrow(() => notFound('dataset', datasetId));

/** Returns the ids of those labels that have one already. */
const knownLabels = async (
  db: Db,
  datasetId: string,
  expressions: readonly string[],
): Promise<Map<string, number>> => {
  const ids = new Map<string, number>();
  for (const chunk of chunksOf(expressions)) {
    const rows = await db
      .selectFrom('dataset_labels')
      .select(['label_id', 'expression'])
      .where('dataset_id', '=', datasetId)
      .where('expression_hash', 'in', chunk.map(hashOf))
      .execute();
    for (const { label_id: id, expression } of rows) ids.set(expression, id);
  }
  return ids;
};

/** Returns the id of each label and assigns ids to new ones. Only one call per dataset may run at a time. */
const internChunk = async (
  db: Db,
  datasetId: string,
  expressions: readonly string[],
): Promise<(readonly [string, number])[]> => {
  const wanted = expressions.map((expression) => ({ expression, hash: hashOf(expression) }));
  const { rows } = await sql<{ id: number; expression: string }>`
    with wanted as (
      select * from rows from (
        jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as (expression text, hash text)
      ) with ordinality as given (expression, hash, place)
    ), known as (
      select label_id, expression from dataset_labels
      where dataset_id = ${datasetId} and expression_hash in (select hash from wanted)
    ), added as (
      insert into dataset_labels (dataset_id, label_id, expression, expression_hash)
      select id, label_count + row_number() over (order by place) - 1, expression, hash
      from wanted cross join datasets
      where id = ${datasetId} and expression not in (select expression from known)
      returning label_id, expression
    ), counted as (
      update datasets set label_count = label_count + (select count(*) from added)
      where id = ${datasetId} and exists (select from added)
    )
    select label_id as id, expression from known
    union all select label_id, expression from added ${catalogOnlyMark}`.execute(db);
  if (rows.length < wanted.length) throw notFound('dataset', datasetId);
  return rows.map(({ id, expression }) => [expression, id] as const);
};

const internLabels = async (
  db: Db,
  datasetId: string,
  expressions: readonly string[],
): Promise<Map<string, number>> => {
  const ids = new Map<string, number>();
  for (const chunk of chunksOf(expressions))
    for (const [expression, id] of await internChunk(db, datasetId, chunk)) ids.set(expression, id);
  return ids;
};

const maxCachedDatasets = 10_000;

/** With a database server, other processes can change the paths too; readers compare this version to notice it. */
const pathVersionIn = (db: Db): Pick<DatasetCatalog, 'pathVersion'> => {
  if (isSingleProcess(db)) return {};
  const cached = createAccessCache(db, maxCachedDatasets, { withCatalog: true });
  return {
    pathVersion: (datasetId) =>
      cached(datasetId, async () => {
        const row = await db
          .selectFrom('datasets')
          .select('path_version')
          .where('id', '=', datasetId)
          .executeTakeFirst();
        return row?.path_version ?? 0;
      }),
  };
};

/** The labels and field paths that records refer to by id. An id never changes its meaning. */
export const createDatasetCatalog = (db: Db): DatasetCatalog => ({
  ...pathVersionIn(db),

  labels: async (datasetId, fromId) => {
    const rows = await db
      .selectFrom('dataset_labels')
      .select(['label_id as id', 'expression'])
      .where('dataset_id', '=', datasetId)
      .where('label_id', '>=', fromId)
      .orderBy('label_id')
      .execute();
    return rows;
  },

  internLabels: async (datasetId, expressions) => {
    const wanted = [...new Set(expressions)];
    // The embedded database has a single connection, so it needs no lock, and an extra statement would cost a millisecond.
    if (isSingleProcess(db)) return internLabels(db, datasetId, wanted);
    // Without new labels nothing is written, so no cache of access rights is invalidated.
    const known = await knownLabels(db, datasetId, wanted);
    const missing = wanted.filter((expression) => !known.has(expression));
    if (missing.length === 0) return known;
    const added = await db.transaction().execute(async (trx) => {
      await lockCounts(trx, datasetId);
      return internLabels(trx, datasetId, missing);
    });
    return new Map([...known, ...added]);
  },

  paths: async (datasetId, fromId) => {
    const rows = await db
      .selectFrom('dataset_paths')
      .select(['path_id as id', 'path', 'kinds'])
      .where('dataset_id', '=', datasetId)
      .where('path_id', '>=', fromId)
      .orderBy('path_id')
      .execute();
    return rows.map((row) => ({ ...row, path: decodePath(row.path) }));
  },

  internPaths: (datasetId, paths) =>
    db.transaction().execute(async (trx) => {
      const { path_count: count } = await lockCounts(trx, datasetId);
      const ids = new Map<string, number>();
      let widened = false;
      for (const chunk of chunksOf(paths)) {
        const rows = await trx
          .selectFrom('dataset_paths')
          .select(['path_id', 'path', 'kinds'])
          .where('dataset_id', '=', datasetId)
          .where(
            'path_hash',
            'in',
            chunk.map(({ path }) => hashOf(encodePath(path))),
          )
          .execute();
        const known = new Map(rows.map((row) => [decodePath(row.path), row]));
        for (const { path, kinds } of chunk) {
          const row = known.get(path);
          if (row === undefined) continue;
          ids.set(path, row.path_id);
          if ((row.kinds | kinds) === row.kinds) continue;
          widened = true;
          await trx
            .updateTable('dataset_paths')
            .set({ kinds: sql`kinds | ${kinds}` })
            .where('dataset_id', '=', datasetId)
            .where('path_id', '=', row.path_id)
            .modifyEnd(catalogOnlyMark)
            .execute();
        }
      }
      const added = paths.filter(({ path }) => !ids.has(path));
      added.forEach(({ path }, index) => ids.set(path, count + index));
      for (const chunk of chunksOf(added)) {
        const rows = chunk.map(({ path, kinds }) => ({
          dataset_id: datasetId,
          path_id: ids.get(path) ?? -1,
          path: encodePath(path),
          path_hash: hashOf(encodePath(path)),
          kinds,
        }));
        await trx.insertInto('dataset_paths').values(rows).modifyEnd(catalogOnlyMark).execute();
      }
      if (added.length > 0 || widened) {
        await trx
          .updateTable('datasets')
          .set({ path_count: count + added.length, path_version: sql`path_version + 1` })
          .where('id', '=', datasetId)
          .modifyEnd(catalogOnlyMark)
          .execute();
      }
      return ids;
    }),
});
