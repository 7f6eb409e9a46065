import { createHash } from 'node:crypto';

/**
 * The id of a document inside a file. It is the same each time that the file is read. It opens nothing by itself.
 * @param path as `InnerDocument` has it; the empty text is the file itself
 */
export const innerDocumentId = (fileId: string, path: string): string => {
  if (path === '') return fileId;
  const hex = createHash('sha256').update(`${fileId}\0${path}`).digest('hex');
  // A UUID of version 8, whose bits are for the application to choose.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
