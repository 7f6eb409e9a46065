import { fieldCode, kinds, recordColumns } from '../storage/record-columns.ts';
import { falseLiteral } from './predicate.ts';
import type { PathEntry } from './search-types.ts';

/** The field of a page record that contains the id of the document. */
export const documentField = 'document_id';

/**
 * Compiles the predicate that selects the records that are pages of a document.
 * @param entry the catalog entry of `documentField`; undefined if the field does not exist or is hidden from the reader
 */
export const compileDocuments = (entry: PathEntry | undefined): string => {
  if (entry === undefined) return falseLiteral;
  const codes = [kinds.text, kinds.timestamp].flatMap((kind) => [
    fieldCode(entry.pathId, kind, true),
    fieldCode(entry.pathId, kind, false),
  ]);
  return `hasAny(${recordColumns.fields}, [${codes.join(', ')}])`;
};
