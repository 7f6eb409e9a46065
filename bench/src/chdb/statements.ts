import { quoteString } from '@redoubt/query';
import type { LabelSet } from '../data/label-sets.ts';
import type { Search } from '../searches.ts';
import { tableOf } from './table-of.ts';

/** For more label ids than this, a bit string is faster than a list. */
const maxIdList = 300;

/** The label predicate of a reader, as an expert would write it by hand. */
export function labelPredicate(visible: readonly number[]): string {
  if (visible.length <= maxIdList) return `label_id IN (${visible.join(', ')})`;
  const last = visible.reduce((max, id) => Math.max(max, id), 0);
  const bits = Buffer.alloc(((last >> 6) + 1) * 8);
  for (const id of visible) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
  return `bitTest(reinterpret(base64Decode('${bits.toString('base64')}'), 'Array(UInt64)')[intDiv(label_id, 64) + 1], label_id % 64)`;
}

export const visibleIds = (labelSet: LabelSet, ids: ReadonlyMap<string, number>): number[] =>
  labelSet.labels.flatMap(({ text, visible }) => {
    const id = ids.get(text);
    return visible && id !== undefined ? [id] : [];
  });

function predicate({ wanted }: Search): string {
  switch (wanted.kind) {
    case 'amount':
      return `doc.amount.:Float64 BETWEEN ${wanted.from} AND ${wanted.to}`;
    case 'any':
      return `hasAllTokens(words, [${quoteString(wanted.word)}])`;
    case 'text':
      return `hasAllTokens(words, [${quoteString(wanted.word)}]) AND hasTokenCaseInsensitive(ifNull(doc.text.:String, ''), ${quoteString(wanted.word)})`;
  }
}

/** Turns off the cache, which would speed up repeated runs, and reads parts one after another in the order of ids. */
export const referenceStatementSettings =
  'SETTINGS use_query_condition_cache = 0, read_in_order_use_virtual_row = 1, read_in_order_use_buffering = 0';
const pageSize = 10;

/**
 * The fastest handwritten statements that we know for the result of a search: one for a page of records, one for the
 * total.
 */
export function writeReferenceStatement(
  search: Search,
  context: { datasetId: string; labels: string },
): { rows: string; count: string } {
  const from = `FROM ${tableOf(context.datasetId)} WHERE ${context.labels} AND ${predicate(search)}`;
  return {
    rows: `SELECT raw ${from} ORDER BY record_id LIMIT ${pageSize} ${referenceStatementSettings}`,
    count: `SELECT count() ${from} ${referenceStatementSettings}`,
  };
}

/** A statement that reads all visible records, in order. */
export const readStatement = (datasetId: string, labels: string): string =>
  `SELECT raw FROM ${tableOf(datasetId)} WHERE ${labels} ORDER BY record_id ${referenceStatementSettings}`;
