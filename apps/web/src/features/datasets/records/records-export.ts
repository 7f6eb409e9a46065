import type { Dataset, ExportCreate } from '@redoubt/contract';
import { orderClause, quoteName, whereClause, type StatementField } from '@redoubt/query/rows';
import type { RecordsSearch } from './records-search.ts';

export type RecordsExport = Pick<ExportCreate, 'body' | 'operation'>;

/**
 * The query that returns the rows which a search, filters and a sort show, in the same order.
 * @returns a text with the reason if no query returns exactly these rows
 */
export const exportOf = (
  { id, schema }: Pick<Dataset, 'id' | 'schema'>,
  { q = '', filters = [], sort = [] }: RecordsSearch,
): RecordsExport | string => {
  if (q !== '' && (filters.length > 0 || sort.length > 0))
    return 'A search in Lucene is exported without filters and sort. Remove them, or filter without the search.';
  if (q !== '') return { operation: 'queryLucene', body: { datasetId: id, expression: q } };
  const fields: StatementField[] = Object.entries(schema).map(([path, { type }]) => ({ path, type }));
  const unknown = [...filters, ...sort].find(({ field }) => !fields.some(({ path }) => path === field));
  if (unknown !== undefined)
    return `Only fields of the dataset can be filtered and sorted in an export, and "${unknown.field}" is none. Remove it.`;
  const expression = `SELECT * FROM ${quoteName(id)}${whereClause(fields, filters)}${orderClause(fields, sort)}`;
  return { operation: 'query', body: { expression } };
};
