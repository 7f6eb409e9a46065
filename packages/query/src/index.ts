export { compileLabelFilter } from './compile/label-filter.ts';
export {
  compileCondition,
  compileMatch,
  compileSearch,
  compileSequence,
  querySettings,
} from './compile/compile-search.ts';
export {
  compileCopiedRows,
  compileCopiesSearch,
  copyColumns,
  mostLabelsOfCopy,
  type CopySight,
} from './compile/copies.ts';
export { fieldIndexes } from './compile/field-indexes.ts';
export { compileSplits } from './compile/compile-splits.ts';
export {
  compileTable,
  tablePageSettings,
  type CompiledTable,
  type TableBounds,
  type TableColumn,
} from './compile/compile-table.ts';
export type {
  CompiledSearch,
  PathCatalog,
  PathEntry,
  RowColumns,
  SearchRequest,
  SequenceRequest,
  TableName,
} from './compile/search-types.ts';
export { visiblePaths, type VisiblePaths } from './compile/visible-paths.ts';
export { visibleText, type VisibleText } from './compile/visible-text.ts';
export { decodeClientExpression } from './lucene/decode-client-expression.ts';
export type { LuceneNode } from './lucene/lucene-node.ts';
export { luceneReference } from './lucene/reference/lucene-reference.ts';
export { parseLucene } from './lucene/parse-lucene.ts';
export { tokensOf, tokenText } from './lucene/tokens.ts';
export { findUnfielded } from './lucene/unfielded.ts';
export { matchesLucene } from './oracle/matches-lucene.ts';
export { compileSql, type InternalColumn } from './sql/compile-sql.ts';
export { findNamed, type WrittenName } from './sql/statement/names.ts';
export type { SqlDataset, SqlField } from './sql/statement/compilation.ts';
export { parseSql, sqlLimits, tableNames, type ParsedSql } from './sql/statement/parse-sql.ts';
export { UnsupportedSqlError } from './sql/fault.ts';
export type { TypedRows } from './sql/typed-rows.ts';
export { columnExpression, type ColumnPath } from './sql/scan-columns.ts';
export { fieldTypeOf, type FieldType } from './storage/field-type.ts';
export { quoteIdentifier, quoteString } from './storage/quoting.ts';
export {
  fieldCode,
  isDocPath,
  kindBit,
  kinds,
  looseCode,
  numberMarker,
  numberMarks,
  pathOfCode,
  recordColumns,
  textBit,
  textBits,
  textMarker,
  wordsEnd,
  wordsByPathIndex,
  wordsIndex,
  type Kind,
  type NumberMark,
} from './storage/record-columns.ts';
export { marksOfNumber, numberValue, type NumberValue } from './values/numbers.ts';
export { timestampMicros } from './values/timestamps.ts';
