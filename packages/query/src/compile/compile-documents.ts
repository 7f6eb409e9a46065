import { fieldCode, kinds, recordColumns } from '../storage/record-columns.ts';
import { falseLiteral } from './predicate.ts';
import type { PathEntry } from './search-types.ts';

/** The field whose text names the document that a record is a page of. */
export const documentField = 'document_id';

/** The rows that belong to a document. @param entry what is known of `documentField`, as far as the reader sees it */
export const compileDocuments = (entry: PathEntry | undefined): string => {
  if (entry === undefined) return falseLiteral;
  const codes = [kinds.text, kinds.timestamp].flatMap((kind) => [
    fieldCode(entry.pathId, kind, true),
    fieldCode(entry.pathId, kind, false),
  ]);
  return `hasAny(${recordColumns.fields}, [${codes.join(', ')}])`;
};
