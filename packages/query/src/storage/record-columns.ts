import { isAscii } from '../lucene/tokens.ts';

/**
 * The columns of a dataset's table and the codes in them. The code that writes records and the query compilers share
 * these definitions.
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

/** The word index on `words`, whose tokens are separated by single spaces. */
export const wordsIndex = "INDEX words_index words TYPE text(tokenizer = splitByString([' ']))";

const wordParts = "splitByChar(' ', words)";

/**
 * The expression of the word index by path: each token of `words`, followed by the marker of its segment. The token
 * comes first, so that all entries of a word are adjacent in the index's dictionary. The lambdas contain no literals,
 * because the engine (chdb 3.4.0) loses literals when it builds the index for existing parts of a table.
 */
export const wordsByPath = `arrayMap((part, mark) -> concat(part, mark), ${wordParts}, arrayFill((part, sign) -> startsWith(part, sign), ${wordParts}, arrayWithConstant(length(${wordParts}), '\\x01')))`;

/**
 * The word index by path. It can be searched in some paths only, so it serves searches on a field and searches of
 * readers from whom columns are hidden. The engine builds it from `words`, so it can be added to any table. It changes
 * the speed of searches, not their results.
 */
export const wordsByPathIndex = {
  name: 'words_by_path',
  definition: `${wordsByPath} TYPE text(tokenizer = array)`,
} as const;

/** The kinds of values at a path of a record. */
export const kinds = {
  null: 0,
  boolean: 1,
  /** An integer that fits Int64 or UInt64, without fraction and exponent in the JSON text. */
  integer: 2,
  /** A number with a fraction or exponent whose value is finite as Float64. */
  float: 3,
  /** Any other number. It is never in `doc`. */
  big: 4,
  text: 5,
  /** A text that `parseTimestampMicros` accepts. */
  timestamp: 6,
  object: 7,
  array: 8,
  /** An overflow value: a leaf inside an array, or a value that `doc` cannot hold. It is in the `loose_*` columns. */
  element: 9,
} as const;

/** The number of a kind of values, one of `kinds`. */
export type Kind = (typeof kinds)[keyof typeof kinds];

/**
 * Flags of numbers outside arrays, in addition to their kinds. A flag excludes a SQL type that the kinds alone would
 * give the field. Flags are stored in `fields` and in masks, like kinds. Their numbers must not collide with
 * `textStatisticBits`.
 */
export const numberFlagBits = {
  /** An integer in `doc` that fits UInt64 but not Int64. */
  unsigned: 12,
  /** A number that is not exact within `numericScale` and `numericWholeDigits`. */
  inexact: 13,
} as const;

/** The number of a flag, one of `numberFlagBits`. */
export type NumberFlag = (typeof numberFlagBits)[keyof typeof numberFlagBits];

/** The scale of a numeric column: digits after the point. */
export const numericScale = 20;
/** The maximum number of digits before the point. It leaves room for sums and products. */
export const numericWholeDigits = 38;

/** The bit of a kind or number flag in the mask of a path. */
export const kindBit = (kind: Kind | NumberFlag): number => 1 << kind;

/**
 * Bits of the mask of a path that record whether its texts and timestamps are ASCII. If all are ASCII and none is in an
 * array, searches read `doc`, which is much smaller than `words`. If neither bit is set, it is unknown.
 */
export const textStatisticBits = { ascii: 1 << 10, other: 1 << 11 } as const;

/** The bit for a text. */
export const textBit = (text: string): number =>
  isAscii(text) ? textStatisticBits.ascii : textStatisticBits.other;

/**
 * The code in `fields` for a kind at a path. Overflow values have the kind `element` there and no other; a null inside
 * an array has the kind `null`.
 */
export const fieldCode = (pathId: number, kind: Kind | NumberFlag, topLevel: boolean): number =>
  pathId * 32 + (topLevel ? 16 : 0) + kind;

/** The path id in a code of `fields` or of `loose_path`. */
export const pathOfCode = (code: number): number => Math.floor(code / 32);

/** The code in `loose_path` for an overflow value: its path id and its own kind (boolean to timestamp). */
export const overflowCode = (pathId: number, kind: Kind): number => pathId * 32 + kind;

/**
 * The marker of a text or boolean in `words`. Each leaf of a record is one segment: its marker, a space, then its
 * tokens, each followed by a space. The column ends with `\x01`, also for a record without leaves. Tokens have no
 * control characters, so no text of a record can look like a marker.
 */
export const textMarker = (pathId: number): string => `\x01${String(pathId)}\x02`;

/** The marker of a number in `words`. */
export const numberMarker = (pathId: number): string => `\x01${String(pathId)}\x03`;

/** The last byte of `words`. */
export const wordsEnd = '\x01';

/**
 * Whether `doc` can hold a scalar at this path (keys joined with "."). The engine's JSON column treats some characters
 * in names as its own syntax and cannot name an empty key. Values at such paths are overflow values.
 */
export const isDocPath = (path: string): boolean =>
  !/[\p{Cc}`"'\\[\]:^%]|^\.|\.\.|\.$|^$/u.test(path) && path.isWellFormed();
