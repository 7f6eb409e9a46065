import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Scalar } from 'yaml';
import { recordIdColumn } from '../columns/choose-columns.ts';
import { typedJson } from '../columns/typed-values.ts';
import type { FileLimits } from '../file-limits.ts';
import { excerpt } from '../rows/excerpt.ts';
import { quoteText } from '../rows/quote-text.ts';

/** A value that has no JSON form, with the reason. */
export class YamlValueError extends Error {}

export interface YamlRecord {
  readonly json: string;
  readonly hasRecordId: boolean;
}

/**
 * Prints nodes as JSON, in which numbers keep their digits.
 * @param spend called with the number of characters of each value
 */
export function createYamlPrinter(
  document: Document.Parsed,
  { maxNesting, maxRowLength }: FileLimits,
  spend: (characters: number) => void,
): (node: Node) => YamlRecord {
  let length = 0;
  let hasRecordId = false;

  function keep(json: string): string {
    length += json.length;
    spend(json.length);
    if (length > maxRowLength) {
      throw new YamlValueError(`with its aliases it has more than ${String(maxRowLength)} characters.`);
    }
    return json;
  }

  function print(node: unknown, depth: number): string {
    if (depth > maxNesting) {
      throw new YamlValueError(`its values are nested more than ${String(maxNesting)} deep.`);
    }
    if (node === null || node === undefined) return 'null';
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target === undefined) throw new YamlValueError(`the alias *${node.source} stands for nothing.`);
      return print(target, depth + 1);
    }
    checkTag(node as Node);
    if (isScalar(node)) return keep(scalarJson(node));
    if (isSeq(node)) return `[${node.items.map((item) => print(item, depth + 1)).join(',')}]`;
    if (isMap(node)) return printMap(node.items, depth);
    throw new YamlValueError('it has a value that is neither a map, a list nor a scalar.');
  }

  function printMap(items: readonly { key: unknown; value: unknown }[], depth: number): string {
    const keys = new Set<string>();
    const members = items.map(({ key, value }) => {
      const name = keyOf(key);
      if (keys.has(name)) throw new YamlValueError(`a map has the key ${excerpt(name)} twice.`);
      keys.add(name);
      return `${keep(quoteText(name))}:${print(value, depth + 1)}`;
    });
    if (depth === 1 && keys.has(recordIdColumn)) hasRecordId = true;
    return `{${members.join(',')}}`;
  }

  return (node) => {
    length = 0;
    hasRecordId = false;
    const json = print(node, 1);
    return { json, hasRecordId };
  };
}

/** Rejects tags that are not YAML's own, because they change the meaning of a value. */
function checkTag(node: Node): void {
  const { tag } = node as { tag?: string };
  if (tag === undefined || /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/.test(tag)) return;
  throw new YamlValueError(`the tag ${excerpt(tag)} is not supported.`);
}

function keyOf(key: unknown): string {
  if (isScalar(key)) {
    const { value, source } = key;
    return typeof value === 'string' ? value : (source ?? JSON.stringify(value));
  }
  throw new YamlValueError('a key of a map must be a scalar.');
}

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

function scalarJson({ value, source }: Scalar): string {
  if (typeof value === 'string') return quoteText(value);
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  const text = source ?? JSON.stringify(value);
  if (jsonNumber.test(text)) return text;
  // 0x10 and 0o10 are numbers. Digits with a leading zero, such as 007, are a code, so they stay text.
  if (/^0[xo][0-9a-fA-F]+$/.test(text)) return BigInt(text).toString();
  if (/^[+-]?0[0-9]/.test(text)) return quoteText(text);
  return typedJson(text, 'number') ?? quoteText(text);
}
