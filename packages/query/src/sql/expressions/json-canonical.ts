import { quoteString } from '../../storage/quoting.ts';
import { numberText } from './json-texts.ts';
import { named } from './quotients.ts';

/** The tokens of JSON without the spaces between them. */
const tokens = quoteString(String.raw`"(?:[^"\\]|\\.)*"|[-0-9][-+.0-9eE]*|true|false|null|[][{},:]`);

/** A string of JSON as PostgreSQL writes it: only what has to be escaped is. */
const stringToken = `replaceAll(toJSONString(JSONExtractString(k)), '\\\\/', '/')`;

const written = `multiIf(startsWith(k, '"'), ${stringToken}, match(k, '^[-0-9]'), ifNull(${numberText('k')}, k), k)`;

/** The stack with a value added to its last container. */
const put = (stack: string, value: string): string => {
  const last = `${stack}[-1][-1]`;
  const waits = `(${last}.1 > 0 AND ${last}.3 = '')`;
  const filled = `arrayPushBack(arrayPopBack(${stack}[-1]), (${last}.1, ${last}.2, ${value}))`;
  const added = `arrayPushBack(${stack}[-1], (toUInt32(0), '', ${value}))`;
  return `arrayPushBack(arrayPopBack(${stack}), if(${waits}, ${filled}, ${added}))`;
};

/**
 * The text of an object or an array as PostgreSQL writes a jsonb: members by the length of their key, then by its bytes, with
 * ", " between them and ": " behind keys.
 *
 * The tokens are folded over a stack of open containers; each is a list of its members (length of the key, key, text), the
 * first of which only says what kind it is. A member whose value is still to come stands at the end with an empty text.
 */
export function canonicalJson(text: string): string {
  const member = 'Tuple(UInt32, String, String)';
  const start = `CAST([[(0, '', '')]] AS Array(Array(${member})))`;
  const top = 's[-1]';
  const below = 'arrayPopBack(s)';
  // A text before ":" was added as a value; it becomes the key of the member that follows. Keys count from 1, so "" has one too.
  const key = `${top}[-1].3`;
  const keyed = `arrayPushBack(${below}, arrayPushBack(arrayPopBack(${top}), (toUInt32(length(JSONExtractString(${key})) + 1), JSONExtractString(${key}), '')))`;
  const object = `concat('{', arrayStringConcat(arrayMap(m -> concat(replaceAll(toJSONString(m.2), '\\\\/', '/'), ': ', m.3), arraySort(arrayPopFront(${top}))), ', '), '}')`;
  const array = `concat('[', arrayStringConcat(arrayMap(m -> m.3, arrayPopFront(${top})), ', '), ']')`;
  const opened = `arrayPushBack(s, [(toUInt32(0), k, '')])`;
  const value = named(
    {
      b: `if(k IN ('}', ']'), ${below}, s)`,
      w: `multiIf(k = '}', ${object}, k = ']', ${array}, k)`,
    },
    put('b', 'w'),
  );
  const step = `multiIf(k IN ('{', '['), ${opened}, k = ':', ${keyed}, k = ',', s, ${value})`;
  return `arrayFold((s, k) -> ${step}, arrayMap(k -> ${written}, extractAll(${text}, ${tokens})), ${start})[1][-1].3`;
}

/** A JSON value as PostgreSQL prints a jsonb: NULL for NULL. */
export const canonicalText = (value: string): string =>
  named(
    { j_value: value },
    named(
      { k: `ifNull(j_value, 'null')` },
      `multiIf(isNull(j_value), NULL, startsWith(k, '{') OR startsWith(k, '['), toNullable(${canonicalJson('k')}), toNullable(${written}))`,
    ),
  );
