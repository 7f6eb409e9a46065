import { letIn } from './expressions/engine-sql.ts';
import { quoteString } from '../storage/quoting.ts';
import { inexactNumberPattern, tagNumbers, untagNumbers } from './number-tags.ts';

/** Replaces escapes of lone surrogates by U+FFFD, because the engine cannot parse them. */
const replaceLoneSurrogates = (raw: string): string =>
  letIn(
    { _m: tagNumbers(raw) },
    `if(isValidJSON(_m), _m, replaceRegexpAll(_m, ${quoteString(String.raw`\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)}, ${quoteString(String.raw`\\ufffd`)}))`,
  );

/**
 * Compiles the check whether the engine's JSON parser would change the text, because of long numbers, exponents,
 * trailing zeros or lone surrogates.
 */
const needsCare = (raw: string): string =>
  `match(${raw}, ${quoteString(String.raw`${inexactNumberPattern}|\\u[dD]`)})`;

/**
 * The maximum number of dots in a path for which all key sequences are tried. A path has several key sequences:
 * `{"a.b":1}` and `{"a":{"b":1}}` have the same path.
 */
const maxSplits = 3;

function listKeySequences(path: string): string[][] {
  const keys = path.split('.');
  if (keys.length === 1) return [keys];
  if (keys.length > maxSplits + 1) return [keys, [path]];
  const sequences: string[][] = [];
  for (let joins = 0; joins < 2 ** (keys.length - 1); joins++) {
    const keySequence = [keys[0] ?? ''];
    for (let at = 1; at < keys.length; at++) {
      const joined = (joins & (1 << (at - 1))) !== 0;
      if (joined) keySequence.push(`${keySequence.pop() ?? ''}.${keys[at] ?? ''}`);
      else keySequence.push(keys[at] ?? '');
    }
    sequences.push(keySequence);
  }
  return sequences;
}

/**
 * Compiles the expression for the JSON text of the value at a path of a record, as Nullable(String). The path leads
 * through objects only, and numbers keep their notation. JSON null and a missing value are both NULL. Of duplicate keys
 * the first counts.
 * @param raw the name of the record's text; names of different columns must have the same length, so that the size of
 *   the SQL discloses nothing
 */
export function compileValueAtPath(path: string, raw: string): string {
  const found = listKeySequences(path).map((keys) => {
    const list = (prefix: string): string => keys.map((key) => quoteString(prefix + key)).join(', ');
    return `if(${needsCare('_r')}, ${untagNumbers(`JSONExtractRaw(${replaceLoneSurrogates('_r')}, ${list('s')})`)}, JSONExtractRaw(_r, ${list('')}))`;
  });
  const values = found.map((value) => `nullIf(nullIf(${value}, ''), 'null')`);
  const value = values.length === 1 ? (values[0] ?? 'NULL') : `coalesce(${values.join(', ')})`;
  return letIn({ _r: raw }, value);
}
