import { isAscii } from '../lucene/tokens.ts';

/**
 * The columns of a dataset's table and the codes written into them: the one place that both the writer and the
 * compiler of searches take them from.
 */

/** Column names, in the order of the table. */
export const recordColumns = {
  recordId: 'record_id',
  labelId: 'label_id',
  ingestedAt: 'ingested_at',
  raw: 'raw',
  doc: 'doc',
  fields: 'fields',
  words: 'words',
  looseCode: 'loose_path',
  looseText: 'loose_text',
  looseNumber: 'loose_num',
  timePath: 'time_path',
  timeMicros: 'time_us',
} as const;

/** The index of `words`: its tokens are what single spaces part. */
export const wordsIndex = "INDEX words_index words TYPE text(tokenizer = splitByString([' ']))";

const wordParts = "splitByChar(' ', words)";

/**
 * Each token of `words` with the marker of its segment behind it: what the index of words by path is made of. The token comes
 * first, so that a word with all its markers stands in one block of the index's dictionary. No function in it holds a literal:
 * the engine (chdb 3.4.0) loses those where it makes the expression for a part of a table that has no such index yet.
 */
export const wordsByPath = `arrayMap((part, mark) -> concat(part, mark), ${wordParts}, arrayFill((part, sign) -> startsWith(part, sign), ${wordParts}, arrayWithConstant(length(${wordParts}), '\\x01')))`;

/**
 * The index of words by path, for readers who do not see all columns: only what they see is looked up in it. The engine makes
 * it of `words`, so it can be added to any table, and no answer depends on it.
 */
export const wordsByPathIndex = {
  name: 'words_by_path',
  definition: `${wordsByPath} TYPE text(tokenizer = array)`,
} as const;

/** What stands at a path of a record. */
export const kinds = {
  null: 0,
  boolean: 1,
  /** A whole number that fits Int64 or UInt64, written without fraction and exponent. */
  integer: 2,
  /** A number with a fraction or an exponent whose value is finite as Float64. */
  float: 3,
  /** Any other number. It is never in `doc`. */
  big: 4,
  text: 5,
  /** A text that `parseTimestamp` understands. */
  timestamp: 6,
  object: 7,
  array: 8,
  /** A leaf (other than null) inside an array, or a value that `doc` does not hold: it stands in the loose columns. */
  element: 9,
} as const;

export type Kind = (typeof kinds)[keyof typeof kinds];

/**
 * Marks beside the kinds of numbers, outside arrays: what keeps a column from the type that the kinds alone would give it.
 * They stand in `fields` and in masks as kinds do; their numbers keep clear of `textStatisticBits`.
 */
export const numberFlagBits = {
  /** A whole number in `doc` that fits UInt64 and not Int64. */
  unsigned: 12,
  /** A number that `numericScale` and `numericWholeDigits` do not hold exactly. */
  inexact: 13,
} as const;

export type NumberFlag = (typeof numberFlagBits)[keyof typeof numberFlagBits];

/** Digits after the point of a numeric column. */
export const numericScale = 20;
/** The most digits before the point: few enough to leave room for sums and products. */
export const numericWholeDigits = 38;

/** The bit of a kind in the mask of kinds seen at a path. */
export const kindBit = (kind: Kind | NumberFlag): number => 1 << kind;

/**
 * Bits of the same mask beside those of kinds: whether the texts (timestamps too) seen at the path are all ASCII. Where
 * they are, and none stands in an array, words are looked for in `doc`, which is a fraction of `words`; where neither bit is set nothing is known.
 */
export const textStatisticBits = { ascii: 1 << 10, other: 1 << 11 } as const;

/** The bit of a text. */
export const textBit = (text: string): number =>
  isAscii(text) ? textStatisticBits.ascii : textStatisticBits.other;

/**
 * The code in `fields` for one kind at one path. A leaf in an array and a value kept loose have the kind `element`
 * there and no other; a null inside an array has the kind `null`.
 */
export const fieldCode = (pathId: number, kind: Kind | NumberFlag, topLevel: boolean): number =>
  pathId * 32 + (topLevel ? 16 : 0) + kind;

/** The path id of a code of `fields` or of the loose columns. */
export const pathOfCode = (code: number): number => Math.floor(code / 32);

/** The code in `loose_path` for a loose value: its path and its own kind (boolean to timestamp). */
export const overflowCode = (pathId: number, kind: Kind): number => pathId * 32 + kind;

/**
 * Marks in `words`. Each leaf is one segment: its marker, a space, then its tokens, each followed by a space. The
 * column starts with `\x01`-markers right away, and ends with `\x01`, so a record without leaves has just that.
 * Tokens hold no control characters, so no text of a record can look like a marker.
 */
export const textMarker = (pathId: number): string => `\x01${String(pathId)}\x02`;

/** The marker of a number's segment; texts and booleans have `textMarker`. */
export const numberMarker = (pathId: number): string => `\x01${String(pathId)}\x03`;

/** The last byte of `words`. */
export const wordsEnd = '\x01';

/**
 * Whether `doc` may hold a scalar at this path (keys joined with "."). The JSON column reads some characters in
 * names as its own syntax and has no name for an empty key: what stands at such a path is kept loose.
 */
export const isDocPath = (path: string): boolean =>
  !/[\p{Cc}`"'\\[\]:^%]|^\.|\.\.|\.$|^$/u.test(path) && path.isWellFormed();
