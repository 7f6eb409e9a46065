import { recordColumns } from '../storage/record-columns.ts';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import { compileLabelPredicate } from './label-filter.ts';
import { compileLucene } from './compile-lucene.ts';
import { compileDocuments, documentField } from './compile-documents.ts';
import { allOf, trueLiteral, falseLiteral } from './predicate.ts';
import { selectVisiblePaths } from './visible-paths.ts';
import { isIndexLookup } from './word-predicates.ts';
import type {
  CompiledSearch,
  RowColumns,
  SearchRequest,
  SequenceRequest,
  TableName,
} from './search-types.ts';

/**
 * Settings that every compiled statement needs:
 * - The condition cache is off, because response times would disclose what others searched for.
 * - The engine must not reorder conditions, so the label predicate runs first.
 * - The engine's size limits exceed what the parser's limits allow, so a statement is never rejected for kinds of
 *   values that only hidden records have.
 * - A series of numbers is limited by memory alone, which is the documented limit.
 * - The engine must not drop functions of other sort keys from ORDER BY: they distinguish 0 and -0, which tie as keys.
 */
export const querySettings = {
  use_query_condition_cache: 0,
  allow_reorder_prewhere_conditions: 0,
  max_ast_elements: 1_000_000,
  max_expanded_ast_elements: 4_000_000,
  function_range_max_elements_in_block: 1_000_000_000_000_000,
  read_in_order_use_virtual_row: 1,
  read_in_order_use_buffering: 0,
  optimize_redundant_functions_in_order_by: 0,
} as const;

/**
 * Settings for a search that is a single lookup in a word index. They let the engine check labels after the lookup,
 * which halves the time for frequent words. It is safe because there is no other condition that could run on hidden
 * records.
 */
const indexLookupSettings = { ...querySettings, allow_reorder_prewhere_conditions: 1 } as const;

const { recordId, labelId, ingestedAt, raw } = recordColumns;

/** The 16 bytes of a record id, which is the text of a UUID in lower case. */
export function compileIdBytes(id: string): string {
  return `UUIDStringToNum(${id})`;
}

const selectLists: Record<RowColumns, string> = {
  plain: `${recordId}, ${raw}`,
  internal: `${recordId}, ${labelId}, toUnixTimestamp64Milli(${ingestedAt}), ${raw}`,
  id: compileIdBytes(recordId),
};

const printTable = ({ database, datasetId }: TableName): string =>
  `${quoteIdentifier(database)}.${quoteIdentifier(datasetId)}`;

const printPage = (limit: number, offset: number): string =>
  `${limit === -1 ? '' : ` LIMIT ${printCount(limit)}`}${offset === 0 ? '' : ` OFFSET ${printCount(offset)}`}`;

/** Throws unless the value is a row count, so that nothing else gets into a statement. */
function printCount(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`Expected a row count, got ${String(value)}.`);
  return String(value);
}

/**
 * Compiles a search to two statements: its rows in the order of their ids, and their number.
 *
 *     const tree = parseLucene('name:london');
 *     const request = { table, tree, paths, visible, limit: 10, offset: 0, columns: 'plain' } as const;
 *     const { rows, count, settings } = compileSearch(request);
 *
 * What matches:
 * - A term without a field matches a visible value that contains its tokens consecutively. Without tokens it matches
 *   nothing.
 * - A term on a field matches an equal number, or a boolean or text that contains its tokens consecutively. A term
 *   without tokens matches a text that is exactly the same. Numbers: 1 equals 1.0; integers are compared exactly,
 *   numbers with a fraction or exponent as Float64, and numbers beyond both by their exact decimal.
 * - A wildcard pattern is split into tokens like text, and each part matches one whole token; the matched tokens are
 *   consecutive. On a field it may also match the whole value.
 * - A regular expression matches one whole token, or on a field the whole value. Both ignore letter case. The whole
 *   value of a number is its shortest decimal text.
 * - For ranges see `compileRange`.
 * - `_exists_` matches a value other than null. Inside arrays only leaves count.
 * - An array matches if one of its elements does. A path that no record has matches nothing; its negation matches all.
 *
 * Every condition returns 0 or 1 for every row and never fails. The label predicate comes first. It is in WHERE,
 * because with PREWHERE the engine reads labels before the word index, which takes twice as long for frequent words.
 */
export function compileSearch(request: SearchRequest): CompiledSearch {
  const predicate = compileUnfilteredPredicate(request) ?? falseLiteral;
  const isLookup = isIndexLookup(predicate);
  const label = compileLabelPredicate(request.visible, isLookup ? 'found' : 'all');
  const source = `FROM ${printTable(request.table)} WHERE ${afterLabel(label, predicate)}`;
  const page = printPage(request.limit, request.offset);
  return {
    rows: `SELECT ${selectLists[request.columns]} ${source} ORDER BY ${recordId}${page}`,
    count: `SELECT count() ${source}`,
    settings: isLookup ? indexLookupSettings : querySettings,
  };
}

/** Compiles the predicate that selects the visible rows of a dataset that match a search. */
export const compileVisiblePredicate = (
  request: Omit<PredicateRequest, 'visible'> & Pick<SearchRequest, 'visible'>,
): string =>
  afterLabel(compileLabelPredicate(request.visible), compileUnfilteredPredicate(request) ?? falseLiteral);

const afterLabel = (label: string, predicate: string): string =>
  predicate === trueLiteral ? label : `${label} AND ${predicate}`;

type PredicateRequest = Pick<SearchRequest, 'byPath' | 'documents' | 'paths' | 'tree'> & {
  visible: Pick<SearchRequest['visible'], 'hidden'>;
};

/**
 * Compiles the predicate of a search without the label predicate, so it also selects hidden rows. Use it only in
 * statements that restrict rows to visible ones first.
 * @returns undefined if no row can match, because no record has the fields of the search
 */
export function compileUnfilteredPredicate({
  tree,
  paths,
  visible,
  byPath = false,
  documents = false,
}: PredicateRequest): string | undefined {
  const visiblePaths = selectVisiblePaths(paths, visible, byPath);
  const search = compileLucene(tree, visiblePaths);
  const predicate = documents ? allOf([compileDocuments(visiblePaths.get(documentField)), search]) : search;
  return predicate === falseLiteral ? undefined : predicate;
}

/** Compiles the statement that reads visible rows in the order of their ids, between two ids. */
export function compileRangeRead(request: SequenceRequest): string {
  const bounds = [bound('>', request.after), bound('>=', request.from), bound('<=', request.until)].join('');
  const source = `FROM ${printTable(request.table)} PREWHERE ${compileLabelPredicate(request.visible)}${bounds}`;
  return `SELECT ${selectLists[request.columns]} ${source} ORDER BY ${recordId}${printPage(request.limit, 0)}`;
}

/** Compiles the statement that reads the visible ones of these records, in the order of their ids. */
export const compileRecordLookup = ({
  table,
  visible,
  ids,
}: Pick<SequenceRequest, 'table' | 'visible'> & { ids: readonly string[] }): string =>
  `SELECT ${selectLists.plain} FROM ${printTable(table)} PREWHERE ${compileLabelPredicate(visible)} AND ${recordId} IN (${ids.map(quoteString).join(', ')}) ORDER BY ${recordId}`;

/**
 * Compiles the statement that returns a fingerprint of the visible records, as one text. It changes when a visible
 * record is added, replaced, relabelled or removed. Hidden records do not affect it.
 */
export const compileVisibleState = ({ table, visible }: Pick<SequenceRequest, 'table' | 'visible'>): string =>
  `SELECT concat(toString(count()), ' ', toString(groupBitXor(cityHash64(${recordId}, ${labelId}, ${ingestedAt})))) FROM ${printTable(table)} PREWHERE ${compileLabelPredicate(visible)}`;

const bound = (operator: string, id: string | undefined): string =>
  id === undefined ? '' : ` AND ${recordId} ${operator} ${quoteString(id)}`;
