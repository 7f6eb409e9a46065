import { quoteString } from '@redoubt/query';
import type { LabelSet } from '../data/label-sets.ts';
import type { Search } from '../searches.ts';
import { tableOf } from './table-of.ts';

/** The most ids that are faster as a list than as a string of bits. */
const longestIdList = 300;

/** The label test for the reader of about half, as one would write it by hand. */
export function labelPredicate(visible: readonly number[]): string {
  if (visible.length <= longestIdList) return `label_id IN (${visible.join(', ')})`;
  const last = visible.reduce((most, id) => Math.max(most, id), 0);
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

/** The cache would answer repeats; the others read parts one after another as their ids come up. */
export const referenceStatementSettings =
  'SETTINGS use_query_condition_cache = 0, read_in_order_use_virtual_row = 1, read_in_order_use_buffering = 0';
const pageSize = 10;

/** The best that we know to write by hand for the same answer: a page of records, and how many match. */
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

/** Every record that the labels let through, in order. */
export const readStatement = (datasetId: string, labels: string): string =>
  `SELECT raw FROM ${tableOf(datasetId)} WHERE ${labels} ORDER BY record_id ${referenceStatementSettings}`;
