import { letIn } from '../engine-sql.ts';
import { quoteString } from '../../../storage/quoting.ts';
import { trimZeros } from '../../../values/numbers.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import type { JsonLiteral } from './json-literals.ts';
import { elementsOf, memberByKey, numberText } from './json-access.ts';
import { decimalText } from '../literals.ts';

/**
 * The engine allows at most 64 nested lambdas. Each level here needs two, and the surrounding SQL needs some as well.
 */
const maxLevels = 12;

type Single = string | boolean | null;
type Container = readonly JsonLiteral[] | Readonly<Record<string, JsonLiteral>>;

const isContainer = (value: JsonLiteral): value is Container => typeof value === 'object' && value !== null;

/**
 * Compiles jsonb's `@>` for a constant part: an object contains its members, an array contains its elements in any
 * order and number, and at the top level an array contains a scalar.
 * @param text the name of the text of a JSON value
 * @returns engine SQL, never NULL
 */
export const compileJsonContainment = (text: string, sought: JsonLiteral, at: number): string =>
  isContainer(sought)
    ? within(text, sought, 0, at)
    : `if(startsWith(${text}, '['), ${hasAll(elementsOf(text), [sought], at)}, ${hasAll(`[${text}]`, [sought], at)})`;

/** @param depth the nesting level, which keeps the names of nested lambdas distinct */
function within(text: string, sought: Container, depth: number, at: number): string {
  if (depth >= maxLevels)
    throw unsupportedSql(
      `looking for a jsonb of more than ${String(maxLevels)} levels`,
      at,
      "Take the member first, as in o -> 'a', and look for a part of it.",
    );
  return Array.isArray(sought)
    ? withinArray(text, sought as readonly JsonLiteral[], depth, at)
    : withinObject(text, sought as Readonly<Record<string, JsonLiteral>>, depth, at);
}

function withinArray(text: string, sought: readonly JsonLiteral[], depth: number, at: number): string {
  const isArray = `startsWith(${text}, '[')`;
  if (sought.length === 0) return isArray;
  const [list, element] = [`c_${String(depth)}`, `e_${String(depth)}`];
  const singles = sought.filter((one): one is Single => !isContainer(one));
  const parts = sought
    .filter(isContainer)
    .map((one) => `arrayExists(${element} -> ${within(element, one, depth + 1, at)}, ${list})`);
  if (singles.length > 0) parts.unshift(hasAll(list, singles, at));
  return `(${isArray} AND ${letIn({ [list]: elementsOf(text) }, `(${parts.join(' AND ')})`)})`;
}

function withinObject(
  text: string,
  sought: Readonly<Record<string, JsonLiteral>>,
  depth: number,
  at: number,
): string {
  const member = (key: string): string => `ifNull(${memberByKey(text, quoteString(key.slice(1)))}, '')`;
  const singles: string[] = [];
  const keys: string[] = [];
  const parts: string[] = [];
  for (const [key, value] of Object.entries(sought)) {
    if (isContainer(value)) {
      const name = `c_${String(depth)}`;
      parts.push(letIn({ [name]: member(key) }, within(name, value, depth + 1, at)));
    } else {
      singles.push(member(key));
      keys.push(keyOf(value, at));
    }
  }
  const texts = `[${singles.join(', ')}]`;
  if (singles.length > 0) parts.unshift(`${keysOf(texts, keys)} = [${keys.map(quoteString).join(', ')}]`);
  return `(${[`startsWith(${text}, '{')`, ...parts].join(' AND ')})`;
}

/** Whether a list of JSON values contains all of these. */
function hasAll(list: string, sought: readonly Single[], at: number): string {
  const keys = [...new Set(sought.map((one) => keyOf(one, at)))];
  return `hasAll(${keysOf(list, keys)}, [${keys.map(quoteString).join(', ')}])`;
}

/** A key that is equal for equal scalars: strings start with `s`, numbers with `n`. */
function keyOf(value: Single, at: number): string {
  if (typeof value !== 'string') return String(value);
  if (value.startsWith('s')) return value;
  const number = decimalText(value.slice(1), at);
  const plain = number.includes('.') ? withoutPoint(trimZeros(number)) : number;
  return `n${plain === '-0' ? '0' : plain}`;
}

const withoutPoint = (number: string): string => (number.endsWith('.') ? number.slice(0, -1) : number);

/**
 * Maps the values in a list to keys that can equal one of `among`. The SQL that converts numbers is long, so it is
 * included only if `among` has a number.
 */
function keysOf(list: string, among: readonly string[]): string {
  const number = letIn(
    { c_number: `ifNull(${numberText('k')}, '')` },
    String.raw`if(position(c_number, '.') > 0, replaceRegexpOne(c_number, '[.]?0+$', ''), c_number)`,
  );
  const kinds = [
    `startsWith(k, '"'), concat('s', JSONExtractString(k))`,
    ...(among.some((key) => /^n[^u]/.test(key)) ? [`match(k, '^[-0-9]'), concat('n', ${number})`] : []),
  ];
  return `arrayMap(k -> multiIf(${kinds.join(', ')}, k), ${list})`;
}
