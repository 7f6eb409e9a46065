import { letIn } from './expressions/engine-sql.ts';
import { quoteString } from '../storage/quoting.ts';
import { inexactNumberPattern, tagNumbers, untagNumbers } from './number-tags.ts';

/** Half a pair of UTF-16 is no text for the engine: such a record is read with U+FFFD instead. */
const sound = (raw: string): string =>
  letIn(
    { _m: tagNumbers(raw) },
    `if(isValidJSON(_m), _m, replaceRegexpAll(_m, ${quoteString(String.raw`\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)}, ${quoteString(String.raw`\\ufffd`)}))`,
  );

/** What the engine's own parser would not give back as it is written: long numbers, exponents, last zeros, half pairs. */
const needsCare = (raw: string): string =>
  `match(${raw}, ${quoteString(String.raw`${inexactNumberPattern}|\\u[dD]`)})`;

/** Keys of the nested objects that a path may mean: {"a.b":1} and {"a":{"b":1}} have the same path. */
const longestSplit = 3;

function waysOf(path: string): string[][] {
  const keys = path.split('.');
  if (keys.length === 1) return [keys];
  if (keys.length > longestSplit + 1) return [keys, [path]];
  const ways: string[][] = [];
  for (let joins = 0; joins < 2 ** (keys.length - 1); joins++) {
    const way = [keys[0] ?? ''];
    for (let at = 1; at < keys.length; at++) {
      const joined = (joins & (1 << (at - 1))) !== 0;
      if (joined) way.push(`${way.pop() ?? ''}.${keys[at] ?? ''}`);
      else way.push(keys[at] ?? '');
    }
    ways.push(way);
  }
  return ways;
}

/**
 * The JSON text of the value at a path of a record's text, found through objects alone, numbers as they are written: Nullable(String), where
 * null and a missing value are both NULL. Of a key that is twice in an object, the first counts.
 * @param raw the name of the text; what it is called must not show in the length of the SQL
 */
export function compileValueAtPath(path: string, raw: string): string {
  const found = waysOf(path).map((keys) => {
    const list = (mark: string): string => keys.map((key) => quoteString(mark + key)).join(', ');
    return `if(${needsCare('_r')}, ${untagNumbers(`JSONExtractRaw(${sound('_r')}, ${list('s')})`)}, JSONExtractRaw(_r, ${list('')}))`;
  });
  const values = found.map((value) => `nullIf(nullIf(${value}, ''), 'null')`);
  const value = values.length === 1 ? (values[0] ?? 'NULL') : `coalesce(${values.join(', ')})`;
  return letIn({ _r: raw }, value);
}
