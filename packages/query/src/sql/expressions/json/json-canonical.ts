import { quoteString } from '../../../storage/quoting.ts';
import { numberText } from './json-access.ts';
import { letIn } from '../numeric/exact-quotients.ts';

/** The tokens of JSON that carry meaning: a key comes with its ":", commas and spaces are left out. */
const tokenPattern = quoteString(
  String.raw`"(?:[^"\\]|\\.)*"(?:\s*:)?|[-0-9][-+.0-9eE]*|true|false|null|[][{}]`,
);

/** The text that a string of JSON means. The token may be a key with its ":". */
const stringOf = (token: string): string =>
  `JSONExtractString(substring(${token}, 1, length(${token}) - endsWith(${token}, ':')))`;

/** A string of JSON as PostgreSQL writes it: only what has to be escaped is. */
const stringToken = `concat(replaceAll(toJSONString(${stringOf('k')}), '\\\\/', '/'), if(endsWith(k, ':'), ': ', ''))`;

/** The token `k` as PostgreSQL writes it. */
const written = `multiIf(startsWith(k, '"'), ${stringToken}, match(k, '^[-0-9]'), ifNull(${numberText('k')}, k), k)`;

const places = 'arrayEnumerate(c_tokens)';

/**
 * Keys and ends of objects as (depth and place in one number, token), so sorted that the keys of an object stand together
 * before its end.
 */
const marks = `arraySort(m -> m.1, arrayFilter(m -> m.2 = '}' OR endsWith(m.2, ':'), arrayMap((t, open, place) -> (bitShiftLeft(toUInt64(open + (t = '}')), 32) + place, t), c_tokens, arrayCumSum(t -> (t IN ('{', '[')) - (t IN ('}', ']')), c_tokens), ${places})))`;

/** How many tokens each member has: up to the next key or the end of the object. An end itself has none. */
const sizes = `arrayMap((m, next) -> if(m.2 = '}', 0, toInt64(bitAnd(next.1 - m.1, 4294967295))), c_marks, arrayShiftLeft(c_marks, 1))`;

/**
 * Members in PostgreSQL's order of keys, object after object: (object, length of the key, key, place, size, sum of the sizes
 * of those before it as they are written).
 */
const members = letIn(
  { c_marks: marks },
  letIn(
    { c_sizes: sizes },
    `arraySort(arrayFilter(m -> m.5 > 0, arrayMap((m, object, size, sum) -> (object, length(${stringOf('m.2')}), ${stringOf('m.2')}, toInt64(bitAnd(m.1, 4294967295)), size, sum - size), c_marks, arrayCumSum(m -> m.2 = '}', c_marks), c_sizes, arrayCumSum(c_sizes))))`,
  ),
);

/** By how many tokens each member moves: (place, size, distance). */
const moves = letIn(
  { c_members: members },
  `arrayMap((m, sum) -> (m.4, m.5, sum - m.5 - m.6), c_members, arrayCumSum(m -> m.5, c_members))`,
);

/** Where members begin and end, with the distances that come and go there, before each place itself: (place, distance). */
const turns = letIn(
  { c_moves: moves },
  `arraySort(c -> c.1, arrayConcat(arrayMap(m -> (2 * m.1, m.3), c_moves), arrayMap(m -> (2 * (m.1 + m.2), -m.3), c_moves), arrayMap(place -> (toInt64(2 * place + 1), toInt64(0)), ${places})))`,
);

/** By how many tokens each token moves: the sum over the members that it stands in. */
const shifts = letIn(
  { c_turns: turns },
  `arrayFilter((sum, c) -> c.1 % 2 = 1, arrayCumSum(c -> c.2, c_turns), c_turns)`,
);

const sorted = `arraySort((t, place) -> place, arrayMap(k -> ${written}, c_tokens), arrayMap((place, shift) -> place + shift, ${places}, ${shifts}))`;

const separated = `arrayMap((t, before) -> if(t IN ('}', ']') OR before IN ('', '{', '[') OR endsWith(before, ': '), t, concat(', ', t)), c_sorted, arrayShiftRight(c_sorted, 1, ''))`;

/**
 * The text of an object or an array as PostgreSQL writes a jsonb: members by the length of their key, then by its bytes, with
 * ", " between them and ": " behind keys.
 *
 * Texts can be long, so the work must not grow faster than they do: every step goes over a list once or sorts it, and none
 * looks from one element at a list. A member that moves within its object takes all tokens of its value with it.
 */
export const printCanonicalContainer = (text: string): string =>
  letIn(
    { c_tokens: `extractAll(${text}, ${tokenPattern})` },
    letIn({ c_sorted: sorted }, `arrayStringConcat(${separated})`),
  );

/** A JSON value as PostgreSQL prints a jsonb: NULL for NULL. */
export const printCanonicalJson = (value: string): string =>
  letIn(
    { j_value: value },
    letIn(
      { k: `ifNull(j_value, 'null')` },
      `multiIf(isNull(j_value), NULL, startsWith(k, '{') OR startsWith(k, '['), toNullable(${printCanonicalContainer('k')}), toNullable(${written}))`,
    ),
  );
