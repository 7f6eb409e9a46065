import type { Db } from '../../platform/db/database.ts';
import type { PlacedDocument } from './inner-documents.ts';

/** The number of documents of one statement. */
const atOnce = 500;

/** Stores documents inside a file, unless an earlier attempt of the job has. */
export type StoreInnerDocuments = (fileId: string, documents: readonly PlacedDocument[]) => Promise<void>;

export const createStoreInnerDocuments =
  (db: Db): StoreInnerDocuments =>
  async (fileId, documents) => {
    const rows = documents.map(({ id, path, name, format, firstRow, pages, rootRow, rootRows }) => ({
      id,
      file_id: fileId,
      path,
      name,
      format,
      first_row: firstRow,
      pages,
      root_row: rootRow,
      root_rows: rootRows,
    }));
    for (let from = 0; from < rows.length; from += atOnce)
      await db
        .insertInto('inner_documents')
        .values(rows.slice(from, from + atOnce))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
  };
