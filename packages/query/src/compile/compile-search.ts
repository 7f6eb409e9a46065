import { recordColumns } from '../storage/record-columns.ts';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import { compileLabelFilter } from './label-filter.ts';
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
 * Settings that every statement made here needs. The condition cache would make the time of a search tell what others
 * searched for; conditions keep their order, the label filter first; the limits on the size of statements are above what the limits of the parser allow, so that a statement
 * is never refused for kinds that only hidden records have; series of numbers end where memory ends, which is the limit that is told. ORDER BY keeps functions of what it sorts by already: they tell
 * both zeros apart, which are equal.
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
 * The same for a search that is one look-up in an index of words: the engine may read the labels after it, which takes half the
 * time for a word that many records have. There is no condition then that would be tried with hidden records first.
 */
const lookUpSettings = { ...querySettings, allow_reorder_prewhere_conditions: 1 } as const;

const { recordId, labelId, ingestedAt, raw } = recordColumns;

const selected: Record<RowColumns, string> = {
  plain: `${recordId}, ${raw}`,
  internal: `${recordId}, ${labelId}, toUnixTimestamp64Milli(${ingestedAt}), ${raw}`,
};

const tableText = ({ database, datasetId }: TableName): string =>
  `${quoteIdentifier(database)}.${quoteIdentifier(datasetId)}`;

const pageText = (limit: number, offset: number): string =>
  `${limit === -1 ? '' : ` LIMIT ${wholeText(limit)}`}${offset === 0 ? '' : ` OFFSET ${wholeText(offset)}`}`;

/** Guards the text of a statement: a number that is not whole is a fault of the caller. */
function wholeText(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`Not a row count: ${String(value)}`);
  return String(value);
}

/**
 * The statements of a search: its rows, in the order of their ids, and how many there are.
 *
 * What matches: a term without a field is looked for in every value that the reader sees: all its tokens in a row in one value (nothing when
 * it has none). A term on a field matches a number that is equal (1 and 1.0 are; whole numbers exactly, those with
 * fraction or exponent as Float64, those beyond both by their exact decimal), a boolean, or a text that has its tokens
 * in a row; a term without tokens matches exactly that text. A wildcard pattern is cut as text is and its pieces match
 * whole tokens in a row, or, on a field, the whole pattern matches the whole value; a regular expression matches one
 * whole token, or, on a field, the whole value; both in any case. A number's whole value is its shortest decimal text.
 * Ranges: see `compileRange`. `_exists_` is a value other than null; inside
 * arrays only leaves count. An array matches if one of its elements does; a
 * path that no record has matches nothing, and its negation everything.
 *
 * Every condition is total and answers 0 or 1 for every row, whatever stands in it; the label filter comes first. It is
 * WHERE and not PREWHERE, so that the engine may read what the index of words says before the labels: PREWHERE reads in
 * the order written, which takes twice as long for a word that many records have.
 */
export function compileSearch(request: SearchRequest): CompiledSearch {
  const match = compileUnfilteredPredicate(request) ?? falseLiteral;
  const finds = isIndexLookup(match);
  const label = compileLabelFilter(request.visible, finds ? 'found' : 'all');
  const source = `FROM ${tableText(request.table)} WHERE ${visibleMatch(match, label)}`;
  const page = pageText(request.limit, request.offset);
  return {
    rows: `SELECT ${selected[request.columns]} ${source} ORDER BY ${recordId}${page}`,
    count: `SELECT count() ${source}`,
    settings: finds ? lookUpSettings : querySettings,
  };
}

/** What rows of a dataset match, out of those that the reader sees. */
export const compileVisiblePredicate = (
  request: Omit<MatchRequest, 'visible'> & Pick<SearchRequest, 'visible'>,
): string =>
  visibleMatch(compileUnfilteredPredicate(request) ?? falseLiteral, compileLabelFilter(request.visible));

const visibleMatch = (match: string, label: string): string =>
  match === trueLiteral ? label : `${label} AND ${match}`;

type MatchRequest = Pick<SearchRequest, 'byPath' | 'documents' | 'paths' | 'tree'> & {
  visible: Pick<SearchRequest['visible'], 'hidden'>;
};

/**
 * What rows of a dataset match, hidden ones among them: only for statements that name the visible ones first. Undefined where
 * no row can match, since the search asks for fields that none has.
 */
export function compileUnfilteredPredicate({
  tree,
  paths,
  visible,
  byPath = false,
  documents = false,
}: MatchRequest): string | undefined {
  const seen = selectVisiblePaths(paths, visible, byPath);
  const found = compileLucene(tree, seen);
  const condition = documents ? allOf([compileDocuments(seen.get(documentField)), found]) : found;
  return condition === falseLiteral ? undefined : condition;
}

/** The statement that reads visible rows in the order of their ids, between bounds. */
export function compileRangeRead(request: SequenceRequest): string {
  const bounds = [bound('>', request.after), bound('>=', request.from), bound('<=', request.until)].join('');
  const source = `FROM ${tableText(request.table)} PREWHERE ${compileLabelFilter(request.visible)}${bounds}`;
  return `SELECT ${selected[request.columns]} ${source} ORDER BY ${recordId}${pageText(request.limit, 0)}`;
}

const bound = (operator: string, id: string | undefined): string =>
  id === undefined ? '' : ` AND ${recordId} ${operator} ${quoteString(id)}`;
