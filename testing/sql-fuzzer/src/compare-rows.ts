import { parseResponse, type ResponseNumber, type ResponseValue } from './response-value.ts';
import { postgresArray } from './postgres-array.ts';
import { elementTypes, responseValueKey, expectedValueKey } from './row-key.ts';

const isNumber = (value: ResponseValue): value is ResponseNumber =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value['digits'] === 'string';

type Same = (expected: string, actual: ResponseValue) => boolean;

const sameWhole: Same = (expected, actual) => isNumber(actual) && actual.digits === expected;
const sameTruth: Same = (expected, actual) => actual === (expected === 't');

/** The tolerances for doubles: a sum of doubles in PostgreSQL depends on the order of the rows. */
const relativeError = 1e-12;
const absoluteError = 1e-9;

const closeDoubles = (a: number, b: number): boolean =>
  Object.is(a, b) ||
  a === b ||
  Math.abs(a - b) <= relativeError * Math.max(Math.abs(a), Math.abs(b)) ||
  (Math.abs(a) < 1e3 && Math.abs(a - b) <= absoluteError && Math.abs(a) > absoluteError);

/** Whether a text is a double with many digits after the point. */
const isLongDouble = (text: string): boolean => /^-?\d+\.\d{8,}(?:e[+-]\d+)?$/.test(text);

/** Whether a text is a double, also one with few digits, which may differ from a long one only in the last digit. */
const isDouble = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/.test(text);

const sameText: Same = (expected, actual) =>
  actual === expected ||
  (typeof actual === 'string' &&
    (isLongDouble(expected) || isLongDouble(actual)) &&
    isDouble(expected) &&
    isDouble(actual) &&
    closeDoubles(Number(expected), Number(actual)));

/** For a group of equal values, PostgreSQL returns the first one that it read, which may be -0. */
const sameTextOfGroup: Same = (expected, actual) =>
  sameText(expected, actual) || (expected === '-0' && actual === '0');

const sameDouble: Same = (expected, actual) => {
  if (expected === 'NaN' || expected.endsWith('Infinity')) return actual === null;
  return isNumber(actual) && closeDoubles(Number(expected), Number(actual.digits));
};

/** Reads a decimal as a whole number of units of its last digit. */
function decimal(text: string): { units: bigint; scale: number } | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === '') return undefined;
  const units = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/**
 * PostgreSQL rounds a quotient to at least this many significant digits, and Redoubt may keep more. A value that is
 * computed from a quotient has the same small relative error, even if it is printed with more digits.
 */
const quotientDigits = 16;
const reckonedError = { fine: 10n ** 16n, whole: 10n ** 20n };
const exactPlaces = 10;

const size = (units: bigint): bigint => (units < 0n ? -units : units);

const sameDecimals = (expected: string, actual: string, isQuotient: boolean): boolean => {
  if (expected === actual) return true;
  const a = decimal(expected);
  const b = decimal(actual);
  if (a === undefined || b === undefined) return false;
  const scale = Math.max(a.scale, b.scale);
  const difference = a.units * 10n ** BigInt(scale - a.scale) - b.units * 10n ** BigInt(scale - b.scale);
  if (difference === 0n || !isQuotient) return difference === 0n;
  const digits = String(size(a.units)).length;
  if (a.scale < exactPlaces && digits < quotientDigits) return false;
  const unit = 10n ** BigInt(scale - a.scale);
  const error = reckonedError[a.scale < exactPlaces ? 'whole' : 'fine'];
  return size(difference) <= unit || size(difference) * error <= size(a.units) * unit;
};

/** How many digits the engine keeps: before the point for products of columns, after it for quotients. */
const engineDigits = 36;
const partsOf = (numeric: string): readonly string[] => /^-?(\d+)(?:\.(\d+))?$/.exec(numeric)?.slice(1) ?? [];
const isLong = (numeric: string): boolean =>
  partsOf(numeric).some((part: string | undefined) => (part ?? '').length > engineDigits);

const sameNumeric =
  (isQuotient: boolean): Same =>
  (expected, actual) => {
    if (expected === 'NaN' || expected.endsWith('Infinity')) return actual === null;
    if (actual === null && isLong(expected)) return true;
    return isNumber(actual) && sameDecimals(expected, actual.digits, isQuotient);
  };

const withoutZeros = (text: string): string => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
const sameTimestamp: Same = (expected, actual) =>
  typeof actual === 'string' && withoutZeros(actual) === withoutZeros(expected).replace(' ', 'T');
const sameInstant: Same = (expected, actual) =>
  typeof actual === 'string' &&
  actual.endsWith('Z') &&
  withoutZeros(actual.slice(0, -1)) === withoutZeros(expected.replace(/\+00$/, '')).replace(' ', 'T');

const sameJson = (expected: ResponseValue, actual: ResponseValue): boolean => {
  if (isNumber(expected) || isNumber(actual)) {
    return isNumber(expected) && isNumber(actual) && sameDecimals(expected.digits, actual.digits, false);
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    return expected === actual;
  }
  if (Array.isArray(expected) !== Array.isArray(actual)) return false;
  const [a, b] = [Object.entries(expected), Object.entries(actual)];
  if (a.length !== b.length) return false;
  return a.every(([key, value]) => {
    const other = (actual as Record<string, ResponseValue>)[key];
    return other !== undefined && sameJson(value, other);
  });
};

const listOf =
  (same: Same): Same =>
  (expected, actual) => {
    const elements = postgresArray(expected);
    return (
      Array.isArray(actual) &&
      actual.length === elements.length &&
      elements.every((element, i) => sameValue(same, element, actual[i] ?? null))
    );
  };

const sameValue = (same: Same, expected: string | null, actual: ResponseValue): boolean =>
  expected === null ? actual === null : same(expected, actual);

/** The comparisons by PostgreSQL type id. */
const singleRules: Record<number, Same> = {
  16: sameTruth,
  20: sameWhole,
  21: sameWhole,
  23: sameWhole,
  25: sameText,
  701: sameDouble,
  1043: sameText,
  1042: sameText,
  1082: sameText,
  1114: sameTimestamp,
  1184: sameInstant,
  1186: sameText,
  1700: sameNumeric(false),
  3802: (expected, actual) => sameJson(parseResponse(expected)[0] as unknown as ResponseValue, actual),
};

const withLists = (single: Record<number, Same>): Record<number, Same> => {
  const lists = Object.entries(elementTypes).flatMap(([list, element]) => {
    const rule = single[element];
    return rule === undefined ? [] : [[list, listOf(rule)] as const];
  });
  return { ...single, ...Object.fromEntries(lists) };
};

export interface RowComparison {
  /** Whether the rows must have the same order; otherwise they are compared as a multiset. */
  readonly ordered: boolean;
  /** Whether numerics may come from a division, and so be rounded at another digit. */
  readonly isQuotient: boolean;
  /** Whether a value may represent others that are equal to it. */
  readonly isGrouped: boolean;
}

const rulesFor = ({ isQuotient, isGrouped }: RowComparison): Record<number, Same> =>
  withLists({
    ...singleRules,
    ...(isQuotient ? { 1700: sameNumeric(true) } : {}),
    ...(isGrouped ? { 25: sameTextOfGroup } : {}),
  });

const numericType = 1700;

/**
 * Whether numerics of a result have more digits than the engine keeps. Rows may be sorted or distinguished by these
 * digits.
 */
export const isBeyondEngine = ({ columns, rows }: ReferenceRows): boolean =>
  rows.some((row) => columns.some(({ type }, i) => type === numericType && isLong(row[i] ?? '')));

export interface ReferenceRows {
  readonly columns: readonly { name: string; type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Describes how a result differs from that of PostgreSQL; undefined if it does not. */
export function differenceOf(
  expected: ReferenceRows,
  actual: readonly Record<string, ResponseValue>[],
  how: RowComparison,
): string | undefined {
  const { columns, rows } = expected;
  if (rows.length !== actual.length)
    return `PostgreSQL gives ${String(rows.length)} rows, we give ${String(actual.length)}`;
  const rules = rulesFor(how);
  const same = columns.map(({ name, type }) => {
    const rule = rules[type];
    if (rule === undefined) throw new Error(`No rule compares PostgreSQL's type ${String(type)} of ${name}.`);
    return rule;
  });
  const matches = (row: readonly (string | null)[], result: Record<string, ResponseValue>): boolean =>
    columns.every(({ name }, i) => {
      const value = result[name];
      const rule = same[i];
      return value !== undefined && rule !== undefined && sameValue(rule, row[i] ?? null, value);
    });
  if (how.ordered) {
    const at = rows.findIndex((row, i) => !matches(row, actual[i] ?? {}));
    return at === -1
      ? undefined
      : `row ${String(at + 1)} should be ${JSON.stringify(rows[at])} and is ${JSON.stringify(actual[at])}`;
  }
  const left = new Set(actual);
  const byKey = Map.groupBy(actual, (result) =>
    columns.map(({ name }) => responseValueKey(result[name] ?? null)).join(),
  );
  const unlike = rows.filter((row) => {
    const key = columns.map(({ type }, i) => expectedValueKey(type, row[i] ?? null)).join();
    const responses = byKey.get(key) ?? [];
    const at = responses.findIndex((result) => matches(row, result));
    for (const result of at === -1 ? [] : responses.splice(at, 1)) left.delete(result);
    return at === -1;
  });
  const lacking = unlike.filter((row) => {
    for (const result of left) {
      if (!matches(row, result)) continue;
      left.delete(result);
      return false;
    }
    return true;
  });
  if (lacking.length === 0) return undefined;
  return `lacking ${JSON.stringify(lacking.slice(0, 3))}, instead there are ${JSON.stringify([...left].slice(0, 3))}`;
}
