import { innerDocumentId, innerPlace, type InnerDocument } from '@redoubt/file-formats';

/** A document inside a file, with its rows. */
export interface PlacedDocument extends InnerDocument {
  id: string;
  /** The first row of the document in its file, counted from 0. */
  firstRow: number;
  pages: number;
  /**
   * The rows of the outermost document around it, such as the mail with all attachments. Who may have the bytes of one of
   * its documents must see the records of all of these rows.
   */
  rootRow: number;
  rootRows: number;
}

/** Places the documents inside a file while its rows are read. */
export interface DocumentPlacing {
  /** A document begins at a row. */
  begin(document: InnerDocument, row: number): void;
  /** A row of the present document was read. */
  page(): void;
  /** The outermost document that is being read ends before a row. */
  end(row: number): void;
  /** The documents whose rows are all known since the last call. */
  take(): PlacedDocument[];
}

export const createDocumentPlacing = (fileId: string): DocumentPlacing => {
  let complete: PlacedDocument[] = [];
  let open: PlacedDocument[] = [];
  let root: { path: string; row: number } | undefined;
  const end = (row: number): void => {
    for (const document of open)
      complete.push({ ...document, rootRow: root?.row ?? 0, rootRows: row - (root?.row ?? 0) });
    open = [];
    root = undefined;
  };
  return {
    end,
    begin: (document, row) => {
      const { root: path } = innerPlace(document.path);
      if (root?.path !== path) {
        end(row);
        // The file itself begins with its first row.
        root = { path, row: path === '' ? 0 : row };
      }
      const id = innerDocumentId(fileId, document.path);
      open.push({ ...document, id, firstRow: row, pages: 0, rootRow: 0, rootRows: 0 });
    },
    page: () => {
      const present = open.at(-1);
      if (present !== undefined) present.pages++;
    },
    take: () => {
      const taken = complete;
      complete = [];
      return taken;
    },
  };
};
