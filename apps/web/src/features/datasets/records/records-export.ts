import type { ExportCreate } from '@redoubt/contract';
import type { RecordsSearch } from './records-search.ts';

export type RecordsExport = Pick<ExportCreate, 'body' | 'operation'>;

/** The export of the rows which a search, filters and a sort show, in the same order. */
export const exportOf = (
  datasetId: string,
  { q = '', filters = [], sort = [] }: RecordsSearch,
): RecordsExport => ({
  operation: 'readRows',
  body: {
    datasetId,
    ...(q !== '' && { lucene: q }),
    ...(filters.length > 0 && { filters }),
    ...(sort.length > 0 && { sort }),
  },
});
