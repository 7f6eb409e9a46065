import { letIn } from '../sql/expressions/engine-sql.ts';
import { containsHiddenPath, type SortedPaths } from '@redoubt/labels';
import { recordColumns } from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';

const { raw } = recordColumns;

/**
 * Names of two expressions for the text of a record. `apart` is the text without hidden columns, for values that
 * contain one. `beside`, for all other values, removes hidden columns only if they could change how the engine parses
 * the rest of the text. The names are as long as the column name `raw`: the size of a statement is limited, so a longer
 * name would disclose that there are hidden columns.
 */
const names = { apart: 'txt', beside: 'rst' } as const;

/** The JSON text of a record as a reader may see it, for expressions whose value is in no other column. */
export interface VisibleText {
  /** Returns the name of a text in which the value at this path has no hidden parts. */
  nameFor(path: string): string;
  /** Returns the `WITH ... ` clause that a SELECT with these expressions needs, or an empty string. */
  clauseFor(expressions: readonly string[]): string;
}

/** The text of a record for a reader who sees all columns. */
const wholeText: VisibleText = { nameFor: () => raw, clauseFor: () => '' };

/**
 * Compiles the text of records for a reader from whom these columns are hidden.
 * @param hidden paths of hidden columns, none inside another
 */
export function compileVisibleText(hidden: SortedPaths): VisibleText {
  if (hidden.length === 0) return wholeText;
  return {
    nameFor: (path) => (containsHiddenPath(hidden, path) ? names.apart : names.beside),
    clauseFor: (expressions) => {
      const read = Object.values(names).filter((name) =>
        expressions.some((sql) => sql.split(/\W+/).includes(name)),
      );
      if (read.length === 0) return '';
      const shown = shownText(hidden);
      const texts = { [names.apart]: shown, [names.beside]: `if(${hasHalfPairs}, ${shown}, ${raw})` };
      return `WITH ${read.map((name) => `${texts[name]} AS ${name}`).join(', ')} `;
    },
  };
}

/** Texts that were compiled before, because they have a part for each hidden column. */
const compiled = new WeakMap<SortedPaths, string>();

function shownText(hidden: SortedPaths): string {
  let text = compiled.get(hidden);
  if (text === undefined)
    compiled.set(hidden, (text = `if(${mayHold(hidden)}, ${stripped(hidden)}, ${raw})`));
  return text;
}

/** Matches texts with escaped surrogates, the only content that can change how the engine parses the rest of a text. */
const hasHalfPairs = `match(${raw}, ${quoteString(String.raw`\\u[dD]`)})`;

/**
 * Compiles a fast check whether a text can contain a hidden column. The check may be true for other texts, but it is
 * never false for a text with a hidden column: such a text has an escape, or the last key of a hidden path before `":`
 * or a dot.
 */
function mayHold(hidden: SortedPaths): string {
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
 * Removes hidden columns from a text, token by token. The path of a token consists of the latest key at each depth of
 * the objects around it; lists between these objects do not matter. The braces of an object count as outside of it. A
 * lambda binds each step, because the engine would compute an expression bound by WITH again at each use.
 */
function stripped(hidden: SortedPaths): string {
  const depths = hidden.reduce((most, path) => Math.max(most, path.split('.').length), 0);
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
