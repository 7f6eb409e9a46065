import type { Bound, RangeNode } from '../lucene/lucene-node.ts';
import { fieldCode, kinds, recordColumns } from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';
import { parseTimeRange } from '../values/timestamps.ts';
import { numberRange, type NumberRange } from './number-range.ts';
import { floatLiteral } from './literals.ts';
import { compileOverflowPredicate, type OverflowPredicate, type SearchPath } from './path.ts';
import { allOf, anyOf, falseLiteral, noneOf, nullAsFalse } from './predicate.ts';
import { compileExists } from './compile-term.ts';

/**
 * Compiles a range on a path. The kind of each value decides how it is compared: numbers with numeric bounds,
 * timestamps with dates, and text with the text of the bounds, by code points. If a bound is not a date, timestamps are
 * compared as text.
 */
export function compileRange(path: SearchPath, range: RangeNode): string {
  const { lower, upper } = range;
  if (lower === null && upper === null) return compileExists(path);
  const numbers = numberRange(lower, upper);
  const times = timeRange(lower, upper);
  const texts = textPredicate(lower, upper);
  const overflowPredicates: OverflowPredicate[] = [
    ...(numbers === undefined ? [] : overflowNumbers(numbers)),
    { kind: kinds.text, condition: texts('t') },
    ...(times === undefined ? [{ kind: kinds.timestamp, condition: texts('t') }] : []),
  ];
  return anyOf([
    ...(numbers === undefined ? [] : scalarNumbers(path, numbers)),
    scalarTexts(path, texts, times !== undefined),
    times !== undefined && path.has(kinds.timestamp, kinds.element) ? holdsTime(path, times) : falseLiteral,
    compileOverflowPredicate(path, overflowPredicates),
  ]);
}

const compared = (value: string, sides: readonly (string | undefined)[]): string =>
  sides
    .filter((side) => side !== undefined)
    .map((side) => `${value} ${side}`)
    .join(' AND ');

/**
 * Compares a text with the text of the bounds. The engine compares UTF-8 bytes, which gives the order of code points.
 */
const textPredicate =
  (lower: Bound | null, upper: Bound | null) =>
  (value: string): string =>
    compared(value, [
      lower === null ? undefined : `${lower.inclusive ? '>=' : '>'} ${quoteString(lower.text)}`,
      upper === null ? undefined : `${upper.inclusive ? '<=' : '<'} ${quoteString(upper.text)}`,
    ]);

function scalarTexts(path: SearchPath, texts: (value: string) => string, exceptTimes: boolean): string {
  if (!path.hasScalar(kinds.text, ...(exceptTimes ? [] : [kinds.timestamp]))) return falseLiteral;
  const inRange = nullAsFalse(texts(path.scalar('String')));
  if (!exceptTimes || !path.has(kinds.timestamp)) return inRange;
  const codes = [true, false].map((top) => String(fieldCode(path.pathId, kinds.timestamp, top)));
  return allOf([inRange, noneOf(`hasAny(${recordColumns.fields}, [${codes.join(', ')}])`)]);
}

/** Microseconds since 1970 UTC. `from` is included, `until` is not. */
interface TimeRange {
  from: bigint | undefined;
  until: bigint | undefined;
}

/** Undefined unless all bounds are dates or open. A bound covers its last unit completely: `2024` is the whole year. */
function timeRange(lower: Bound | null, upper: Bound | null): TimeRange | undefined {
  const low = lower === null ? undefined : parseTimeRange(lower.text);
  const high = upper === null ? undefined : parseTimeRange(upper.text);
  if ((lower !== null && low === undefined) || (upper !== null && high === undefined)) return undefined;
  return {
    from: lower?.inclusive === true ? low?.from : low?.until,
    until: upper?.inclusive === true ? high?.until : high?.from,
  };
}

function holdsTime(path: SearchPath, { from, until }: TimeRange): string {
  const inRange = compared('u', [
    from === undefined ? undefined : `>= ${String(from)}`,
    until === undefined ? undefined : `< ${String(until)}`,
  ]);
  const { timePath, timeMicros } = recordColumns;
  return `arrayExists((p, u) -> p = ${String(path.pathId)} AND ${inRange}, ${timePath}, ${timeMicros})`;
}

function scalarNumbers(path: SearchPath, { signed, unsigned, float }: NumberRange): string[] {
  const conditions: string[] = [];
  if (path.hasScalar(kinds.integer)) {
    if (signed !== undefined) conditions.push(nullAsFalse(integerPredicate(path.scalar('Int64'), signed)));
    if (unsigned !== undefined)
      conditions.push(nullAsFalse(integerPredicate(path.scalar('UInt64'), unsigned)));
  }
  if (path.hasScalar(kinds.float))
    conditions.push(nullAsFalse(floatPredicate(path.scalar('Float64'), float)));
  return conditions;
}

const integerPredicate = (value: string, { min, max }: { min: bigint; max: bigint }): string =>
  `${value} BETWEEN ${String(min)} AND ${String(max)}`;

const floatPredicate = (value: string, { lower, upper }: NumberRange['float']): string =>
  compared(value, [
    lower === undefined ? undefined : `${lower.inclusive ? '>=' : '>'} ${floatLiteral(lower.value)}`,
    upper === undefined ? undefined : `${upper.inclusive ? '<=' : '<'} ${floatLiteral(upper.value)}`,
  ]);

/**
 * Compares integers exactly, parsed from their text. Big numbers are compared as floats; beyond Float64 they are
 * infinite.
 */
function overflowNumbers({ signed, unsigned, float }: NumberRange): OverflowPredicate[] {
  const tests: OverflowPredicate[] = [
    { kind: kinds.float, condition: nullAsFalse(floatPredicate('n', float)) },
    { kind: kinds.big, condition: nullAsFalse(floatPredicate('n', float)) },
  ];
  if (signed !== undefined) {
    tests.push({ kind: kinds.integer, condition: nullAsFalse(integerPredicate('toInt64OrNull(t)', signed)) });
  }
  if (unsigned !== undefined) {
    tests.push({
      kind: kinds.integer,
      condition: nullAsFalse(integerPredicate('toUInt64OrNull(t)', unsigned)),
    });
  }
  return tests;
}
