import type { Db } from '../../platform/db/database.ts';

/** A document, and the stored file that it is or is inside of. */
export interface DocumentFile {
  fileId: string;
  /** The name for everybody who may read the records. */
  name: string;
  /** The name of its format. */
  format: string;
  /** The name of the stored file. */
  objectName: string;
  /** Where the document is inside the file; undefined if it is the file. */
  path: string | undefined;
  /** The first row of the document in the file, counted from 0. */
  firstRow: number;
  pages: number;
  /**
   * The rows whose records must all be visible: of the file, or of the outermost document in it that contains this one.
   */
  needed: { firstRow: number; rows: number };
  /** The custom metadata of its upload: a JSON object. */
  customMetadata: string | null;
}

export interface MediaRepository {
  /** The document with an id, if its file was read to its end and is still stored. */
  find(datasetId: string, documentId: string): Promise<DocumentFile | undefined>;
}

export const createMediaRepository = (db: Db): MediaRepository => {
  const files = (datasetId: string) =>
    db
      .selectFrom('ingest_files')
      .innerJoin('uploads', 'uploads.id', 'ingest_files.upload_id')
      .innerJoin('segments', 'segments.id', 'ingest_files.segment_id')
      .where('uploads.dataset_id', '=', datasetId)
      .where('segments.status', '=', 'completed')
      .select([
        'ingest_files.id',
        'ingest_files.name',
        'ingest_files.reader_name',
        'ingest_files.document_format',
        'ingest_files.object_name',
        'ingest_files.next_row',
        'uploads.custom_metadata',
      ]);

  const findWhole = async (datasetId: string, id: string): Promise<DocumentFile | undefined> => {
    const row = await files(datasetId).where('ingest_files.id', '=', id).executeTakeFirst();
    if (row === undefined || row.document_format === null || row.object_name === null) return undefined;
    return {
      fileId: row.id,
      name: row.reader_name ?? row.name,
      format: row.document_format,
      objectName: row.object_name,
      path: undefined,
      firstRow: 0,
      pages: row.next_row,
      needed: { firstRow: 0, rows: row.next_row },
      customMetadata: row.custom_metadata,
    };
  };

  const findInner = async (datasetId: string, id: string): Promise<DocumentFile | undefined> => {
    const row = await files(datasetId)
      .innerJoin('inner_documents', 'inner_documents.file_id', 'ingest_files.id')
      .where('inner_documents.id', '=', id)
      .select([
        'inner_documents.name as inner_name',
        'inner_documents.format',
        'inner_documents.path',
        'inner_documents.first_row',
        'inner_documents.pages',
        'inner_documents.root_row',
        'inner_documents.root_rows',
      ])
      .executeTakeFirst();
    if (row === undefined || row.document_format === null || row.object_name === null) return undefined;
    return {
      fileId: row.id,
      name: row.inner_name,
      format: row.format,
      objectName: row.object_name,
      path: row.path,
      firstRow: row.first_row,
      pages: row.pages,
      needed: { firstRow: row.root_row, rows: row.root_rows },
      customMetadata: row.custom_metadata,
    };
  };

  return {
    // Both are always looked for, so that the time does not tell a hidden document from an absent one.
    find: async (datasetId, id) => {
      const [whole, inner] = await Promise.all([findWhole(datasetId, id), findInner(datasetId, id)]);
      return whole ?? inner;
    },
  };
};
