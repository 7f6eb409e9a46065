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

/** A path of the dataset as the leaves of a search need it. */
export interface SearchPath {
  pathId: number;
  /** The path alone, where the index of words by path is to be asked. */
  places: readonly PathEntry[] | undefined;
  /** Whether one of these kinds was seen at the path. */
  has(...wanted: Kind[]): boolean;
  /** Whether `doc` can hold a scalar of one of these kinds at the path. */
  hasScalar(...wanted: Kind[]): boolean;
  /** Whether every text at the path is ASCII. */
  hasOnlyAsciiTexts: boolean;
  /** The scalar of one type in `doc`, or NULL. */
  scalar(type: 'Float64' | 'Int64' | 'String' | 'UInt64'): string;
}

/** @param byPath whether the index of words by path is to be asked */
export function createSearchPath(path: string, entry: PathEntry, byPath = false): SearchPath {
  const { pathId, kinds: seen } = entry;
  const has = (...wanted: Kind[]): boolean => wanted.some((kind) => (seen & kindBit(kind)) !== 0);
  const inDoc = isDocPath(path);
  return {
    pathId,
    places: byPath ? [entry] : undefined,
    has,
    hasOnlyAsciiTexts:
      (seen & (textStatisticBits.ascii | textStatisticBits.other)) === textStatisticBits.ascii,
    hasScalar: (...wanted) => inDoc && has(...wanted),
    scalar: (type) => `${recordColumns.doc}.${path.split('.').map(quoteIdentifier).join('.')}.:${type}`,
  };
}

/** A condition on one loose value: `c` is its code, `t` its text, `n` its number or NULL. */
export interface OverflowPredicate {
  kind: Kind;
  condition: string;
}

/** Whether one loose value of the path passes one of the tests for its kind. */
export function compileOverflowPredicate(path: SearchPath, tests: readonly OverflowPredicate[]): string {
  if (!path.has(kinds.element) || tests.length === 0) return falseLiteral;
  const condition = tests
    .map((test) => `(c = ${String(overflowCode(path.pathId, test.kind))} AND ${test.condition})`)
    .join(' OR ');
  const { looseCode: codes, looseText, looseNumber } = recordColumns;
  return `arrayExists((c, t, n) -> ${condition}, ${codes}, ${looseText}, ${looseNumber})`;
}
