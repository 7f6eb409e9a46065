import {
  isDocPath,
  kindBit,
  kinds,
  overflowCode,
  recordColumns,
  textStatisticBits,
  type Kind,
} from '../storage/record-columns.ts';
import { quoteIdentifier } from '../storage/quoting.ts';
import { falseLiteral } from './predicate.ts';
import type { PathEntry } from './search-types.ts';

/** A path of a dataset, with what is known about its values. */
export interface SearchPath {
  pathId: number;
  /** The entry of this path if searches should use the word index by path, else undefined. */
  indexedPaths: readonly PathEntry[] | undefined;
  /** Whether a value of one of these kinds was written at the path. */
  has(...wanted: Kind[]): boolean;
  /** Whether the column `doc` can have a scalar of one of these kinds at the path. */
  hasScalar(...wanted: Kind[]): boolean;
  /** Whether every text at the path is ASCII. */
  hasOnlyAsciiTexts: boolean;
  /** Prints the expression for the scalar of one type in `doc`; NULL if there is none. */
  scalar(type: 'Float64' | 'Int64' | 'String' | 'UInt64'): string;
}

/** @param byPath whether searches should use the word index by path */
export function createSearchPath(path: string, entry: PathEntry, byPath = false): SearchPath {
  const { pathId, kinds: seen } = entry;
  const has = (...wanted: Kind[]): boolean => wanted.some((kind) => (seen & kindBit(kind)) !== 0);
  const inDoc = isDocPath(path);
  return {
    pathId,
    indexedPaths: byPath ? [entry] : undefined,
    has,
    hasOnlyAsciiTexts:
      (seen & (textStatisticBits.ascii | textStatisticBits.other)) === textStatisticBits.ascii,
    hasScalar: (...wanted) => inDoc && has(...wanted),
    scalar: (type) => `${recordColumns.doc}.${path.split('.').map(quoteIdentifier).join('.')}.:${type}`,
  };
}

/** A condition on one overflow value. In it `c` is the value's code, `t` its text, and `n` its number or NULL. */
export interface OverflowPredicate {
  kind: Kind;
  condition: string;
}

/** Compiles the predicate that some overflow value at the path satisfies one of the conditions for its kind. */
export function compileOverflowPredicate(path: SearchPath, predicates: readonly OverflowPredicate[]): string {
  if (!path.has(kinds.element) || predicates.length === 0) return falseLiteral;
  const condition = predicates
    .map(({ kind, condition: test }) => `(c = ${String(overflowCode(path.pathId, kind))} AND ${test})`)
    .join(' OR ');
  const { looseCode: codes, looseText, looseNumber } = recordColumns;
  return `arrayExists((c, t, n) -> ${condition}, ${codes}, ${looseText}, ${looseNumber})`;
}
