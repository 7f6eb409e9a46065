import type { Db } from '../../../platform/db/database.ts';

/**
 * What is made of a page of a document: its words with their boxes, and its picture in two sizes. And the bytes of a
 * document inside the file.
 */
export type PartKind = 'bytes' | 'page' | 'thumbnail' | 'words';

export interface DocumentPartRepository {
  /** The name of the stored object; undefined if the part has not been made. */
  find(fileId: string, kind: PartKind, page: number): Promise<string | undefined>;
  /**
   * Records a part that was announced and stored.
   * @returns false if the file is no longer stored
   */
  set(fileId: string, kind: PartKind, page: number, objectName: string): Promise<boolean>;
}

export const createDocumentPartRepository = (db: Db): DocumentPartRepository => ({
  find: async (fileId, kind, page) => {
    const row = await db
      .selectFrom('document_parts')
      .where('file_id', '=', fileId)
      .where('kind', '=', kind)
      .where('page', '=', page)
      .select('object_name')
      .executeTakeFirst();
    return row?.object_name;
  },
  set: (fileId, kind, page, objectName) =>
    db.transaction().execute(async (trx) => {
      const file = await trx
        .selectFrom('ingest_files')
        .where('id', '=', fileId)
        .where('object_name', 'is not', null)
        .select('id')
        .forUpdate()
        .executeTakeFirst();
      if (file === undefined) return false;
      await trx
        .insertInto('document_parts')
        .values({ file_id: fileId, kind, page, object_name: objectName })
        .onConflict((conflict) =>
          conflict.columns(['file_id', 'kind', 'page']).doUpdateSet({ object_name: objectName }),
        )
        .execute();
      await trx.deleteFrom('object_drops').where('object_name', '=', objectName).execute();
      return true;
    }),
});
