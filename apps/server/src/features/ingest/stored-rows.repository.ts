import { sql, type RawBuilder } from 'kysely';

/**
 * SQL for whether the job of an upload has stored rows, or may have: a block is announced before it is stored. Another job
 * would store these rows again.
 */
export const hasStoredRows: RawBuilder<boolean> = sql<boolean>`exists (
  select from ingest_files
  where ingest_files.upload_id = uploads.id
    and (written > 0 or duplicate > 0 or exists (select from ingest_blocks where file_id = ingest_files.id)))`;
