import { containsHiddenPath } from '@redoubt/labels';
import { recordColumns } from '../storage/record-columns.ts';
import { letValueIn } from '../sql/value-text.ts';
import { quoteString } from '../storage/quoting.ts';

const { raw } = recordColumns;

/**
 * Names of the text of a record without hidden columns. `apart` always has them removed. `beside` has them removed only
 * if they could change how the engine parses other values. The names are as long as the column's name `raw`, so that the
 * size of a statement, which is limited, does not disclose hidden columns.
 */
const names = { apart: 'txt', beside: 'rst' } as const;

/** The text from which expressions read values that only the text of a record has. */
export interface VisibleText {
  /** Returns the name of a text in which the value at this path is as the reader may see it. */
  nameFor(path: string): string;
  /** Returns the `WITH ... ` clause that a SELECT with these expressions needs, or an empty string. */
  clauseFor(expressions: readonly string[]): string;
}

/** The text of a record for a reader who sees all columns. */
const wholeText: VisibleText = { nameFor: () => raw, clauseFor: () => '' };

/**
 * Creates the text of records for a reader from whom these columns are hidden.
 * @param hidden paths of hidden columns, none inside another
 */
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

/** Finds escapes of surrogates. They are the only content that can change how the engine parses the rest of a text. */
const hasHalfPairs = `match(${raw}, ${quoteString(String.raw`\\u[dD]`)})`;

/**
 * A fast check whether a text can contain a hidden key. It may return true by mistake, but false is certain: a hidden key
 * without escapes ends with the last key of a hidden path, or continues with a dot.
 */
function mayHold(hidden: readonly string[]): string {
  const lastKeys = [...new Set(hidden.map((path) => path.split('.').at(-1) ?? ''))];
  const keyEndings = lastKeys.flatMap((last) => [`${last}":`, `${last}.`]).map(quoteString);
  return `(position(${raw}, '\\\\') > 0 OR arrayExists(key -> position(${raw}, key) > 0, [${keyEndings.join(', ')}]))`;
}

const tokens = quoteString(String.raw`"(?:[^"\\]|\\.)*"|[-0-9][-+.0-9eE]*|true|false|null|[{}\[\]:,]`);
const halfPair = quoteString(String.raw`\\u[dD][89a-fA-F][0-9a-fA-F]{2}`);

/** A key without quotes and escapes. */
const keyText = `if(position(t, '\\\\') = 0, substring(t, 2, length(t) - 2), JSONExtractString(if(isValidJSON(t), t, replaceRegexpAll(t, ${halfPair}, ${quoteString(String.raw`\\ufffd`)}))))`;

/** Joins the remaining tokens. A comma before a closing brace is left over from a removed member, so it is dropped. */
const joined = `arrayStringConcat(arrayMap((t, after) -> if(t = ',' AND after = '}', '', t), shown_tokens, arrayShiftLeft(shown_tokens, 1, '')))`;

/**
 * Removes hidden columns from a text. The path of a token consists of the last key at each depth of objects around it;
 * lists in between do not matter. Braces count as outside of their object. A lambda binds each step, because the engine
 * repeats an expression bound by WITH at each of its uses.
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
  return steps.reduceRight((expression, [name, value]) => letValueIn(name, value, expression), joined);
}
