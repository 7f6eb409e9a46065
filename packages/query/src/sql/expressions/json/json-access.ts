import { letIn } from '../engine-sql.ts';
import { quoteString } from '../../../storage/quoting.ts';
import { inexactNumberPattern, tagNumbers, untagNumbers } from '../../number-tags.ts';

/**
 * Functions on JSON texts, each of one value without white space around it. The engine's parser changes some numbers,
 * so in texts with such numbers, the numbers are parsed as strings (see number-tags.ts).
 */

const careful = quoteString(inexactNumberPattern);

/** The member of an object by key, or NULL. Both arguments are names or short SQL that is not NULL. */
export const memberByKey = (text: string, key: string): string =>
  `if(startsWith(${text}, '{'), nullIf(if(match(${text}, ${careful}), ${untagNumbers(`JSONExtractRaw(${tagNumbers(text)}, concat('s', ${key}))`)}, JSONExtractRaw(${text}, ${key})), ''), NULL)`;

/** The element of an array by index from 0, or from the end if negative; NULL if there is none. */
export const elementByIndex = (text: string, place: string): string => {
  const index = `toInt64(if(${place} >= 0, ${place} + 1, ${place}))`;
  return `if(startsWith(${text}, '['), nullIf(if(match(${text}, ${careful}), ${untagNumbers(`JSONExtractRaw(${tagNumbers(text)}, ${index})`)}, JSONExtractRaw(${text}, ${index})), ''), NULL)`;
};

/** The elements of an array. */
export const elementsOf = (text: string): string =>
  `if(match(${text}, ${careful}), arrayMap(e -> ${untagNumbers('e')}, JSONExtractArrayRaw(${tagNumbers(text)})), JSONExtractArrayRaw(${text}))`;

/**
 * The members of an object as keys and values, in jsonb's order: by the length of the key, then by its bytes. Of
 * duplicate keys the first counts, as in access by key.
 */
export const membersOf = (text: string): string => {
  const marked = `arrayMap(m -> (substring(m.1, 2), ${untagNumbers('m.2')}), JSONExtractKeysAndValuesRaw(${tagNumbers(text)}))`;
  const members = `if(match(${text}, ${careful}), ${marked}, JSONExtractKeysAndValuesRaw(${text}))`;
  const sorted = `arraySort((m, n) -> (length(m.1), m.1, n), m_members, arrayEnumerate(m_members))`;
  const keys = `arrayMap(m -> concat('=', m.1), m_sorted)`;
  const firsts = `arrayFilter((m, p) -> concat('=', m.1) != p, m_sorted, arrayPopBack(arrayPushFront(${keys}, '')))`;
  return letIn({ m_members: members }, letIn({ m_sorted: sorted }, firsts));
};

export const elementCount = (text: string): string => `length(JSONExtractArrayRaw(${tagNumbers(text)}))`;

/** The strings of an array, or a string itself, each with the prefix `s`. */
const markedTexts = (text: string): string =>
  `arrayMap(raw -> JSONExtractString(raw), JSONExtractArrayRaw(if(startsWith(${text}, '"'), concat('[', ${tagNumbers(text)}, ']'), if(startsWith(${text}, '['), ${tagNumbers(text)}, '[]'))))`;

/** Compiles jsonb's `?`: an object has this key, an array contains this string, or a string equals it. */
export const hasKey = (text: string, key: string): string =>
  `if(startsWith(${text}, '{'), JSONHas(${tagNumbers(text)}, concat('s', ${key})), has(${markedTexts(text)}, concat('s', ${key})))`;

/** The keys of an object, the strings of an array, or a string itself, each with the prefix `s`. */
export const listTaggedKeys = (text: string): string =>
  `if(startsWith(${text}, '{'), JSONExtractKeys(${tagNumbers(text)}), ${markedTexts(text)})`;

/** The kind of a value, by the names of jsonb_typeof. */
export const jsonTypeOf = (text: string): string =>
  `transform(substring(${text}, 1, 1), ['{', '[', '"', 't', 'f', 'n'], ['object', 'array', 'string', 'boolean', 'boolean', 'null'], 'number')`;

const numberForm = quoteString(String.raw`^(-?)([0-9]+)(?:[.]([0-9]+))?(?:[eE]([-+]?[0-9]+))?$`);
const largestExponent = 1000;

/** Prints a JSON number as PostgreSQL does: without exponent, with its digits after the point kept. */
export function numberText(text: string): string {
  const [sign, whole, fraction] = ['n_parts[1]', 'n_parts[2]', 'n_parts[3]'];
  const left = `if(length(${fraction}) >= n_power, concat(${whole}, substring(${fraction}, 1, n_power), if(length(${fraction}) > n_power, concat('.', substring(${fraction}, n_power + 1)), '')), concat(${whole}, ${fraction}, repeat('0', toUInt32(greatest(n_power - toInt32(length(${fraction})), 0)))))`;
  const padded = `leftPad(${whole}, toUInt32(greatest(length(${whole}), 1 - n_power)), '0')`;
  const right = `concat(substring(${padded}, 1, toInt32(length(${padded})) + n_power), '.', substring(${padded}, toInt32(length(${padded})) + n_power + 1), ${fraction})`;
  const digits = `replaceRegexpOne(if(n_power >= 0, ${left}, ${right}), '^0+([0-9])', '\\\\1')`;
  const signed = letIn(
    { n_digits: digits },
    `if(match(n_digits, '[1-9]'), concat(${sign}, n_digits), n_digits)`,
  );
  const limit = String(largestExponent);
  const moved = letIn(
    { n_exponent: `toInt32OrZero(replaceOne(n_parts[4], '+', ''))` },
    `if(length(n_parts[4]) > 5 OR abs(n_exponent) > ${limit}, NULL, toNullable(${letIn({ n_power: `greatest(least(n_exponent, ${limit}), -${limit})` }, signed)}))`,
  );
  const plain = `if(match(${text}, '^-[0.]+$'), substring(${text}, 2), ${text})`;
  return `if(match(${text}, '[eE]'), ${letIn({ n_parts: `extractGroups(${text}, ${numberForm})` }, moved)}, toNullable(${plain}))`;
}

/** The text of a JSON string. */
export const stringText = (text: string): string => `JSONExtractString(${text})`;
