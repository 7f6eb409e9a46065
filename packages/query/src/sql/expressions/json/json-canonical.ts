import { letIn } from '../engine-sql.ts';
import { quoteString } from '../../../storage/quoting.ts';
import { numberText } from './json-access.ts';

/** The significant tokens of JSON. A key includes its ":"; commas and white space are left out. */
const tokenPattern = quoteString(
  String.raw`"(?:[^"\\]|\\.)*"(?:\s*:)?|[-0-9][-+.0-9eE]*|true|false|null|[][{}]`,
);

/** The text of a JSON string token, which may be a key with its ":". */
const stringOf = (token: string): string =>
  `JSONExtractString(substring(${token}, 1, length(${token}) - endsWith(${token}, ':')))`;

/** Prints a JSON string token as PostgreSQL does, with only the necessary escapes. */
const stringToken = `concat(replaceAll(toJSONString(${stringOf('k')}), '\\\\/', '/'), if(endsWith(k, ':'), ': ', ''))`;

/** Prints the token `k` as PostgreSQL does. */
const written = `multiIf(startsWith(k, '"'), ${stringToken}, match(k, '^[-0-9]'), ifNull(${numberText('k')}, k), k)`;

const places = 'arrayEnumerate(c_tokens)';

/**
 * Keys and ends of objects as (depth and position in one number, token). They are sorted so that the keys of an object
 * are adjacent and its end follows them.
 */
const marks = `arraySort(m -> m.1, arrayFilter(m -> m.2 = '}' OR endsWith(m.2, ':'), arrayMap((t, open, place) -> (bitShiftLeft(toUInt64(open + (t = '}')), 32) + place, t), c_tokens, arrayCumSum(t -> (t IN ('{', '[')) - (t IN ('}', ']')), c_tokens), ${places})))`;

/** The number of tokens of each member, up to the next key or the end of the object. An end has none. */
const sizes = `arrayMap((m, next) -> if(m.2 = '}', 0, toInt64(bitAnd(next.1 - m.1, 4294967295))), c_marks, arrayShiftLeft(c_marks, 1))`;

/**
 * The members in PostgreSQL's order of keys, object by object: (object, length of the key, key, position, size, total
 * size of the members before it in `c_marks`).
 */
const members = letIn(
  { c_marks: marks },
  letIn(
    { c_sizes: sizes },
    `arraySort(arrayFilter(m -> m.5 > 0, arrayMap((m, object, size, sum) -> (object, length(${stringOf('m.2')}), ${stringOf('m.2')}, toInt64(bitAnd(m.1, 4294967295)), size, sum - size), c_marks, arrayCumSum(m -> m.2 = '}', c_marks), c_sizes, arrayCumSum(c_sizes))))`,
  ),
);

/** The distance by which each member moves, in tokens: (position, size, distance). */
const moves = letIn(
  { c_members: members },
  `arrayMap((m, sum) -> (m.4, m.5, sum - m.5 - m.6), c_members, arrayCumSum(m -> m.5, c_members))`,
);

/**
 * The changes of the distance, and one entry for each token: (doubled position, change). The distance of a member is
 * added at its start and subtracted at its end. The entry of a token changes nothing. Its position is odd, so that it
 * follows the changes at the same token.
 */
const turns = letIn(
  { c_moves: moves },
  `arraySort(c -> c.1, arrayConcat(arrayMap(m -> (2 * m.1, m.3), c_moves), arrayMap(m -> (2 * (m.1 + m.2), -m.3), c_moves), arrayMap(place -> (toInt64(2 * place + 1), toInt64(0)), ${places})))`,
);

/** The distance by which each token moves: the sum of the distances of all members that contain it. */
const shifts = letIn(
  { c_turns: turns },
  `arrayFilter((sum, c) -> c.1 % 2 = 1, arrayCumSum(c -> c.2, c_turns), c_turns)`,
);

const sorted = `arraySort((t, place) -> place, arrayMap(k -> ${written}, c_tokens), arrayMap((place, shift) -> place + shift, ${places}, ${shifts}))`;

const separated = `arrayMap((t, before) -> if(t IN ('}', ']') OR before IN ('', '{', '[') OR endsWith(before, ': '), t, concat(', ', t)), c_sorted, arrayShiftRight(c_sorted, 1, ''))`;

/**
 * Prints an object or array as PostgreSQL prints jsonb: members by the length of their keys, then by bytes, with ", "
 * between them and ": " after keys. It computes for each token the distance by which it moves: a member that moves
 * within its object moves all tokens of its value. Texts can be long, so each step scans or sorts a list once, and no
 * step searches a list for each element.
 */
export const printCanonicalContainer = (text: string): string =>
  letIn(
    { c_tokens: `extractAll(${text}, ${tokenPattern})` },
    letIn({ c_sorted: sorted }, `arrayStringConcat(${separated})`),
  );

/** Prints a JSON value as PostgreSQL prints jsonb; NULL for NULL. */
export const printCanonicalJson = (value: string): string =>
  letIn(
    { j_value: value },
    letIn(
      { k: `ifNull(j_value, 'null')` },
      `multiIf(isNull(j_value), NULL, startsWith(k, '{') OR startsWith(k, '['), toNullable(${printCanonicalContainer('k')}), toNullable(${written}))`,
    ),
  );
