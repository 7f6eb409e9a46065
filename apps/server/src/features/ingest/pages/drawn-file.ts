/** A document, and the stored file that it is or is inside of. */
export interface DrawnFile {
  fileId: string;
  format: string;
  /** The name of the stored file. */
  objectName: string;
  /** Where the document is inside the file, as `InnerDocument` has it; undefined if it is the file. */
  path?: string | undefined;
  /** The first row of the document in its file, counted from 0. */
  firstRow: number;
}
