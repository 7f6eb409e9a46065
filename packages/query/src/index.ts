export { tokensOf, tokenText } from './lucene/tokens.ts';
export type { LuceneNode } from './lucene/lucene-node.ts';
export type {
  CompiledSearch,
  PathCatalog,
  PathEntry,
  RowColumns,
  SearchRequest,
  SequenceRequest,
  TableName,
} from './compile/search-types.ts';
export { quoteIdentifier, quoteString } from './storage/quoting.ts';
export {
  fieldCode,
  isDocPath,
  kindBit,
  kinds,
  looseCode,
  numberMarker,
  pathOfCode,
  recordColumns,
  textMarker,
  wordsEnd,
  wordsIndex,
  type Kind,
} from './storage/record-columns.ts';
export { numberValue, type NumberValue } from './values/numbers.ts';
export { timestampMicros } from './values/timestamps.ts';
