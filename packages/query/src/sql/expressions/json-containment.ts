import { quoteString } from '../../storage/quoting.ts';
import type { JsonLiteral } from './json-literals.ts';
import { elementsOf, memberByKey, numberText } from './json-texts.ts';
import { decimalText } from './literals.ts';
import { named } from './quotients.ts';

/**
 * Whether a JSON value contains one that is written out, as jsonb's `@>` says: an object its members, an array its elements in
 * any order and number, and, outside of all else, an array a value that is neither.
 * @param text a name of the text of a JSON value
 * @returns engine SQL, never NULL
 */
export const containsJson = (text: string, sought: JsonLiteral, at: number): string =>
  isContainer(sought)
    ? within(text, sought, 0, at)
    : `if(startsWith(${text}, '['), ${hasElement(elementsOf(text), sought, 0, at)}, ${equals(text, sought, at)})`;

type Container = readonly JsonLiteral[] | Readonly<Record<string, JsonLiteral>>;

type Single = string | boolean | null;

const isContainer = (value: JsonLiteral): value is Container => typeof value === 'object' && value !== null;

/** @param depth how many values this one stands in: names of nested ones differ */
const matches = (text: string, sought: JsonLiteral, depth: number, at: number): string =>
  isContainer(sought) ? within(text, sought, depth, at) : equals(text, sought, at);

function within(text: string, sought: Container, depth: number, at: number): string {
  const name = `c_${String(depth)}`;
  if (Array.isArray(sought)) {
    const parts = (sought as readonly JsonLiteral[]).map((one) => hasElement(name, one, depth, at));
    return parts.length === 0
      ? `startsWith(${text}, '[')`
      : `(startsWith(${text}, '[') AND ${named({ [name]: elementsOf(text) }, `(${parts.join(' AND ')})`)})`;
  }
  const parts = Object.entries(sought as Readonly<Record<string, JsonLiteral>>).map(([key, value]) =>
    named(
      { [name]: `ifNull(${memberByKey(text, quoteString(key.slice(1)))}, '')` },
      matches(name, value, depth + 1, at),
    ),
  );
  return `(${[`startsWith(${text}, '{')`, ...parts].join(' AND ')})`;
}

const hasElement = (list: string, sought: JsonLiteral, depth: number, at: number): string => {
  const name = `e_${String(depth)}`;
  return `arrayExists(${name} -> ${matches(name, sought, depth + 1, at)}, ${list})`;
};

/** Digits without zeros behind the point that change nothing. */
const plainDigits = (number: string): string =>
  number.includes('.') ? number.replace(/\.?0+$/, '') : number;

function equals(text: string, sought: Single, at: number): string {
  if (typeof sought !== 'string') return `${text} = '${String(sought)}'`;
  const value = sought.slice(1);
  if (sought.startsWith('s'))
    return `(startsWith(${text}, '"') AND JSONExtractString(${text}) = ${quoteString(value)})`;
  const digits = plainDigits(decimalText(value, at)).replace(/^-0$/, '0');
  const own = named(
    { c_number: `ifNull(${numberText(text)}, '')` },
    String.raw`if(position(c_number, '.') > 0, replaceRegexpOne(c_number, '[.]?0+$', ''), c_number)`,
  );
  return `(match(${text}, '^[-0-9]') AND ${own} = '${digits}')`;
}
