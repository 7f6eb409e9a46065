import { letIn } from '../sql/expressions/engine-sql.ts';
import { containsHiddenPath } from '@redoubt/labels';
import { recordColumns } from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';

const { raw } = recordColumns;

/**
 * The engine's names for the text of a record as its reader sees it: one without the hidden columns wherever it has some, one
 * only where they could change how a value beside them is read. They are as long as that of the column, since the size of a
 * statement has a limit and must not tell of columns that are hidden.
 */
const names = { apart: 'txt', beside: 'rst' } as const;

/** Where values are read from that only the text of a record holds. */
export interface VisibleText {
  /** The name of a text that holds the value at this path as the reader sees it. */
  nameFor(path: string): string;
  /** What has to stand before the SELECT of these expressions: `WITH ... `, or nothing. */
  clauseFor(expressions: readonly string[]): string;
}

/** The text of a record for a reader who sees all columns. */
const wholeText: VisibleText = { nameFor: () => raw, clauseFor: () => '' };

/** The text of a record for a reader who does not see these columns. */
export function compileVisibleText(hidden: readonly string[]): VisibleText {
  if (hidden.length === 0) return wholeText;
  const shown = `if(${mayHold(hidden)}, ${stripped(hidden)}, ${raw})`;
  const texts = { [names.apart]: shown, [names.beside]: `if(${hasHalfPairs}, ${shown}, ${raw})` };
  return {
    nameFor: (path) => (containsHiddenPath(hidden, path) ? names.apart : names.beside),
    clauseFor: (expressions) => {
      const read = Object.entries(texts).filter(([name]) =>
        expressions.some((sql) => sql.split(/\W+/).includes(name)),
      );
      return read.length === 0 ? '' : `WITH ${read.map(([name, sql]) => `${sql} AS ${name}`).join(', ')} `;
    },
  };
}

/** Escapes of UTF-16 halves: of all that may stand in a text, they alone change how the rest of it is read. */
const hasHalfPairs = `match(${raw}, ${quoteString(String.raw`\\u[dD]`)})`;

/**
 * Whether a text may have a key of these: false is sure, as a key without escapes from which on something is hidden has
 * the last key of the path at its end, or with a dot and further keys behind.
 */
function mayHold(hidden: readonly string[]): string {
  const lasts = [...new Set(hidden.map((path) => path.split('.').at(-1) ?? ''))];
  const marks = lasts.flatMap((last) => [`${last}":`, `${last}.`]).map(quoteString);
  return `(position(${raw}, '\\\\') > 0 OR arrayExists(key -> position(${raw}, key) > 0, [${marks.join(', ')}]))`;
}

const tokens = quoteString(String.raw`"(?:[^"\\]|\\.)*"|[-0-9][-+.0-9eE]*|true|false|null|[{}\[\]:,]`);
const halfPair = quoteString(String.raw`\\u[dD][89a-fA-F][0-9a-fA-F]{2}`);

/** A key as it is meant. */
const keyText = `if(position(t, '\\\\') = 0, substring(t, 2, length(t) - 2), JSONExtractString(if(isValidJSON(t), t, replaceRegexpAll(t, ${halfPair}, ${quoteString(String.raw`\\ufffd`)}))))`;

/** The tokens that stay; a comma before a closing brace is what a member left behind. */
const joined = `arrayStringConcat(arrayMap((t, after) -> if(t = ',' AND after = '}', '', t), shown_tokens, arrayShiftLeft(shown_tokens, 1, '')))`;

/**
 * A text without what is hidden. The path of a token is made of the last key at each depth of objects around it: whatever
 * lists are in between, that is the key of the object around it. Braces belong outside. Each step is named by a lambda, as the
 * engine writes out what WITH names wherever it stands.
 */
function stripped(hidden: readonly string[]): string {
  const depths = Math.max(...hidden.map((path) => path.split('.').length));
  const levels = Array.from({ length: depths }, (_, index) => String(index + 1));
  const keys = levels.map(
    (level) => `arrayFill((k, at, is_key) -> is_key AND at = ${level}, key_of, depth_of, key_at)`,
  );
  const inner = levels.map((level) => `k${level}`).join(', ');
  const list = hidden.map((path) => quoteString(`${path}.`)).join(', ');
  const path = `concat(arrayStringConcat(arraySlice([${inner}], 1, at), '.'), '.')`;
  const steps = [
    ['all_tokens', `extractAll(${raw}, ${tokens})`],
    [
      'depth_of',
      `arrayMap((t, depth) -> depth - (t = '{'), all_tokens, arrayCumSum(t -> multiIf(t = '{', 1, t = '}', -1, 0), all_tokens))`,
    ],
    ['key_at', `arrayMap((t, after) -> after = ':', all_tokens, arrayShiftLeft(all_tokens, 1, ''))`],
    ['key_of', `arrayMap((t, is_key) -> if(is_key, ${keyText}, ''), all_tokens, key_at)`],
    [
      'shown_tokens',
      `arrayFilter((t, at, ${inner}) -> at = 0 OR NOT arrayExists(path -> startsWith(${path}, path), [${list}]), all_tokens, depth_of, ${keys.join(', ')})`,
    ],
  ] as const;
  return steps.reduceRight((expression, [name, value]) => letIn({ [name]: value }, expression), joined);
}
