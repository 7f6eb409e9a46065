import type { Db } from '../../platform/db/database.ts';

/** The stored file of a document. */
export interface DocumentFile {
  id: string;
  /** The name for everybody who may read the records. */
  name: string;
  /** The name of its format. */
  format: string;
  objectName: string;
  /** How many rows it has. */
  rows: number;
  /** The custom metadata of its upload: a JSON object. */
  customMetadata: string | null;
}

export interface MediaRepository {
  /** The file of a document that was read to its end and is still stored. */
  find(datasetId: string, fileId: string): Promise<DocumentFile | undefined>;
}

export const createMediaRepository = (db: Db): MediaRepository => ({
  find: async (datasetId, fileId) => {
    const row = await db
      .selectFrom('ingest_files')
      .innerJoin('uploads', 'uploads.id', 'ingest_files.upload_id')
      .innerJoin('segments', 'segments.id', 'ingest_files.segment_id')
      .where('uploads.dataset_id', '=', datasetId)
      .where('ingest_files.id', '=', fileId)
      .where('segments.status', '=', 'completed')
      .select([
        'ingest_files.name',
        'ingest_files.reader_name',
        'ingest_files.document_format',
        'ingest_files.object_name',
        'ingest_files.next_row',
        'uploads.custom_metadata',
      ])
      .executeTakeFirst();
    if (row === undefined || row.document_format === null || row.object_name === null) return undefined;
    return {
      id: fileId,
      name: row.reader_name ?? row.name,
      format: row.document_format,
      objectName: row.object_name,
      rows: row.next_row,
      customMetadata: row.custom_metadata,
    };
  },
});
