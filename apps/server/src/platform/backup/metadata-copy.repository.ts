import type { Db } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import { errorColumns } from '../jobs/index.ts';

/**
 * The tables of a backup, in an order in which every row comes after the rows that it refers to. Sessions are left out:
 * a restored one could be a session that was revoked after the backup. Pending drops of datasets and the query history
 * are left out, too.
 */
export const copiedTables = [
  'accounts',
  'account_pictures',
  'workspaces',
  'retired_slugs',
  'memberships',
  'invitations',
  'attributes',
  'attribute_assignments',
  'groups',
  'group_memberships',
  'datasets',
  'dataset_permissions',
  'connections',
  'connection_permissions',
  'dataset_labels',
  'dataset_paths',
  'dataset_indexes',
  'jobs',
  'segments',
  'labelled_columns',
  'uploads',
  'ingest_files',
  'document_parts',
  'inner_documents',
  'ingest_blocks',
  'ingest_groups',
  'ingest_rejects',
  'ingest_read_rows',
  'ingest_replacements',
  'audit_configs',
  'audit_outbox',
  'audit_chains',
  'api_keys',
  'api_key_groups',
  'api_key_attributes',
  'permission_assignments',
  'transfer_requests',
  'applications',
  'application_users',
  'application_datasets',
  'usage_days',
  'billing_accounts',
  'identity_providers',
  'account_identities',
  'saved_queries',
  'schedules',
  'schedule_runs',
] as const satisfies readonly (keyof Database)[];

/** The tables that no backup contains. */
export const leftOutTables = [
  'metadata_changes',
  'mail_outbox',
  'account_links',
  'email_changes',
  'sessions',
  'pending_drops',
  'object_drops',
  'running_queries',
  'query_runs',
  'exports',
  'application_grants',
  'application_codes',
  'application_refresh_tokens',
  'billing_events',
  'sign_in_codes',
  'sign_in_failures',
  'job_turns',
] as const satisfies readonly (keyof Database)[];

/** The rows of each copied table, by the name of the table. */
export type MetadataCopy = Record<string, Record<string, unknown>[]>;

/** Tables that a server without accounts may have written to, such as after a failed sign-in. */
const auditTables: ReadonlySet<string> = new Set(['audit_outbox', 'audit_chains']);

/** Pending events in order, without their positions, which the database assigns again. */
const inOrder = (rows: readonly Record<string, unknown>[]): Record<string, unknown>[] =>
  rows
    .toSorted((a, b) => Number(a['position']) - Number(b['position']))
    .map(({ position: _position, ...row }) => row);

/** Rows of one INSERT: stays well below PostgreSQL's limit of 65,535 parameters. */
const chunkSize = 1000;

export interface MetadataCopyRepository {
  datasetIds(): Promise<string[]>;
  /** Reads all tables from one snapshot. */
  read(): Promise<MetadataCopy>;
  isEmpty(): Promise<boolean>;
  /** Writes all tables in one transaction. */
  write(copy: MetadataCopy): Promise<void>;
}

/**
 * Fails the ingest jobs that were open during the backup. Records are copied before the metadata, so the metadata may
 * count blocks of such a job whose records are not in the backup.
 */
const failOpenIngests = async (trx: Db): Promise<void> => {
  const message =
    'The backup was made while this job ran, so only a part of its rows may have been restored. Delete its records and upload the files again.';
  const error = errorColumns({ name: 'FileParseError', message, code: 400 });
  const failed = await trx
    .updateTable('jobs')
    .set({ status: 'failed', ...error, worker: null, lease_until: null })
    .where('type', '=', 'ingest')
    .where('status', 'in', ['queued', 'running'])
    .returning('id')
    .execute();
  const ids = failed.map(({ id }) => id);
  if (ids.length === 0) return;
  await trx
    .updateTable('segments')
    .set({ status: 'failed', ...error })
    .where('job_id', 'in', ids)
    .where('status', 'in', ['queued', 'running'])
    .execute();
};

export const createMetadataCopyRepository = (db: Db): MetadataCopyRepository => ({
  datasetIds: async () => {
    const rows = await db.selectFrom('datasets').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  },
  read: () =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const copy: MetadataCopy = {};
        for (const table of copiedTables) copy[table] = await trx.selectFrom(table).selectAll().execute();
        return copy;
      }),
  isEmpty: async () => {
    for (const table of copiedTables) {
      if (auditTables.has(table)) continue;
      const row = await db
        .selectFrom(table)
        .select((e) => e.lit(1).as('one'))
        .limit(1)
        .executeTakeFirst();
      if (row !== undefined) return false;
    }
    return true;
  },
  write: (copy) =>
    db.transaction().execute(async (trx) => {
      for (const table of copiedTables) {
        if (auditTables.has(table)) await trx.deleteFrom(table).execute();
        const rows = table === 'audit_outbox' ? inOrder(copy[table] ?? []) : (copy[table] ?? []);
        for (let from = 0; from < rows.length; from += chunkSize) {
          await trx
            .insertInto(table)
            .values(rows.slice(from, from + chunkSize))
            .execute();
        }
      }
      await failOpenIngests(trx);
    }),
});
