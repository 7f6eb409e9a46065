export { compileLabelPredicate } from './compile/label-filter.ts';
export {
  compileVisiblePredicate,
  compileUnfilteredPredicate,
  compileSearch,
  compileRangeRead,
  compileRecordLookup,
  compileVisibleState,
  querySettings,
} from './compile/compile-search.ts';
export {
  compileCopyRows,
  compileSummaryCopySearch,
  summaryCopyColumns,
  maxLabelsPerCopy,
  type CopyVisibility,
} from './compile/compile-summary-copies.ts';
export { fieldIndexes } from './compile/field-indexes.ts';
export { compileSplits } from './compile/compile-splits.ts';
export {
  compileFilePages,
  filePageSettings,
  type CompiledFilePages,
  type RecordIdRange,
  type TableColumn,
} from './compile/compile-file-pages.ts';
export type {
  CompiledSearch,
  PathCatalog,
  PathEntry,
  RowColumns,
  SearchRequest,
  SequenceRequest,
  TableName,
} from './compile/search-types.ts';
export { selectVisiblePaths, type VisiblePaths } from './compile/visible-paths.ts';
export { compileVisibleText, type VisibleText } from './compile/visible-text.ts';
export { decodeClientExpression } from './lucene/decode-client-expression.ts';
export type { LuceneNode } from './lucene/lucene-node.ts';
export { renderLuceneReference } from './lucene/reference/lucene-reference.ts';
export { createHighlighter, type RecordHighlights } from './highlight/create-highlighter.ts';
export { parseLucene } from './lucene/parse-lucene.ts';
export { tokensOf, tokenText } from './lucene/tokens.ts';
export { findAnyFieldLeaf } from './lucene/find-any-field-leaf.ts';
export { compileSql, type InternalColumn } from './sql/compile-statement.ts';
export { findNamed, type WrittenName } from './sql/statement/names.ts';
export type { SqlDataset, SqlField } from './sql/statement/compilation-context.ts';
export { parseSql, sqlLimits, listDatasetNames, type ParsedSql } from './sql/statement/parse-sql.ts';
export { UnsupportedSqlError } from './sql/sql-compile-error.ts';
export type { TypedRows } from './sql/typed-rows.ts';
export { columnExpression, type ColumnPath } from './sql/scan-columns.ts';
export { fieldTypeOf, type FieldType } from './storage/field-type.ts';
export { quoteIdentifier, quoteString } from './storage/quoting.ts';
export {
  fieldCode,
  isDocPath,
  kindBit,
  kinds,
  overflowCode,
  numberMarker,
  numberFlagBits,
  pathOfCode,
  recordColumns,
  textBit,
  textStatisticBits,
  textMarker,
  wordsEnd,
  wordsByPathIndex,
  wordsIndex,
  type Kind,
  type NumberFlag,
} from './storage/record-columns.ts';
export { numberFlags, numberValue, type NumberValue } from './values/numbers.ts';
export { parseTimestampMicros } from './values/timestamps.ts';
