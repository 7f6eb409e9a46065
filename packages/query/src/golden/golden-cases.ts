import { compileSearch } from '../compile/compile-search.ts';
import type { PathEntry, RowColumns } from '../compile/search-types.ts';
import { parseLucene } from '../lucene/parse-lucene.ts';
import { kindBit, kinds, textStatisticBits, type Kind } from '../storage/record-columns.ts';

const entry = (pathId: number, ...seen: Kind[]): PathEntry => ({
  pathId,
  kinds: seen.reduce<number>((mask, kind) => mask | kindBit(kind), 0),
});

const asciiOnly = (text: PathEntry): PathEntry => ({ ...text, kinds: text.kinds | textStatisticBits.ascii });

/** The paths of the dataset that the cases search: one for each combination of kinds that compiles differently. */
const paths = new Map<string, PathEntry>([
  ['name', entry(0, kinds.text)],
  ['age', entry(1, kinds.integer, kinds.null)],
  ['score', entry(2, kinds.float)],
  ['active', entry(3, kinds.boolean)],
  ['created', entry(4, kinds.timestamp)],
  ['tags', entry(5, kinds.array, kinds.element)],
  ['address', entry(6, kinds.object)],
  ['address.zip', entry(7, kinds.text, kinds.integer)],
  ['mixed', entry(8, ...Object.values(kinds))],
  ['note', entry(9, kinds.text, kinds.timestamp)],
  ['size[]', entry(10, kinds.element)],
  ["it's", entry(11, kinds.text)],
  ['empty', entry(12, kinds.null)],
  ['code', asciiOnly(entry(13, kinds.text))],
  ['codes', asciiOnly(entry(14, kinds.text, kinds.array, kinds.element))],
  ['flag', asciiOnly(entry(15, kinds.text, kinds.boolean))],
]);

export interface GoldenCase {
  /** The name of the file. */
  name: string;
  expression: string;
  visible?: number[];
  limit?: number;
  offset?: number;
  columns?: RowColumns;
  /** Columns that are hidden from the reader. */
  hidden?: string[];
  /** Whether the dataset has the word index by path. */
  byPath?: boolean;
}

const evenLabels = Array.from({ length: 301 }, (_, index) => index * 2);

export const goldenCases: GoldenCase[] = [
  { name: 'all', expression: '*:*' },
  { name: 'all-internal-page', expression: '*', limit: 100, offset: 20, columns: 'internal' },
  { name: 'all-unlimited', expression: '*', limit: -1 },
  { name: 'no-visible-label', expression: 'seattle', visible: [] },
  { name: 'high-visible-label', expression: 'seattle', visible: [0, 65_540] },
  { name: 'many-labels', expression: '*', visible: evenLabels },
  { name: 'many-labels-of-found', expression: 'seattle', visible: evenLabels },
  { name: 'word', expression: 'Seattle' },
  { name: 'word-without-token', expression: '"---"' },
  { name: 'phrase', expression: '"New York"' },
  { name: 'phrase-of-one-script', expression: '東京' },
  { name: 'phrase-of-many-words', expression: '"a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii"' },
  { name: 'field-text', expression: 'name:John' },
  { name: 'field-phrase', expression: 'name:"John O\'Neil"' },
  { name: 'field-ascii', expression: 'code:"AB 12"' },
  { name: 'field-ascii-element', expression: 'codes:ab' },
  { name: 'field-ascii-boolean', expression: 'flag:true' },
  { name: 'field-ascii-other-word', expression: 'code:é' },
  { name: 'field-without-token', expression: 'name:"---"' },
  { name: 'field-element-without-token', expression: 'tags:"---"' },
  { name: 'field-integer', expression: 'age:42' },
  { name: 'field-integer-as-decimal', expression: 'age:42.0' },
  { name: 'field-integer-with-fraction', expression: 'age:42.5' },
  { name: 'field-integer-unsigned', expression: 'age:18446744073709551615' },
  { name: 'field-integer-too-big', expression: 'age:18446744073709551616' },
  { name: 'field-float', expression: 'score:1' },
  { name: 'field-boolean', expression: 'active:TRUE' },
  { name: 'field-number-as-text', expression: 'address.zip:98101' },
  { name: 'field-element', expression: 'tags:5' },
  { name: 'field-mixed', expression: 'mixed:1e400' },
  { name: 'field-unknown', expression: 'nope:1' },
  { name: 'field-unknown-negated', expression: 'NOT nope:1' },
  { name: 'field-quoted-name', expression: "it's:x" },
  { name: 'field-outside-doc', expression: 'size\\[\\]:x' },
  { name: 'exists', expression: '_exists_:age' },
  { name: 'exists-only-null', expression: 'empty:*' },
  { name: 'exists-mixed', expression: 'mixed:[* TO *]' },
  { name: 'wildcard', expression: 'sea*le' },
  { name: 'wildcard-pieces', expression: '192.168.*' },
  { name: 'wildcard-field', expression: 'name:j?hn*' },
  { name: 'wildcard-number', expression: 'score:3.1*' },
  { name: 'wildcard-element', expression: 'tags:t*' },
  { name: 'wildcard-boolean', expression: 'active:t*' },
  { name: 'regex', expression: '/sea[^t-z]+(le|.)/' },
  { name: 'regex-field', expression: 'name:/jo+h?n{2,3}.*/' },
  { name: 'regex-field-mixed', expression: 'mixed:/[ -~]*\\/\\s/' },
  { name: 'range-integer', expression: 'age:[18 TO 65}' },
  { name: 'range-integer-fraction', expression: 'age:{17.5 TO 65.5}' },
  { name: 'range-integer-above', expression: 'age:>9223372036854775807' },
  { name: 'range-float', expression: 'score:>=1' },
  { name: 'range-date', expression: 'created:[2023 TO 2024-06]' },
  { name: 'range-date-exclusive', expression: 'created:{2023 TO 2024-06}' },
  { name: 'range-date-mixed', expression: 'note:[2023-01-01 TO *]' },
  { name: 'range-text', expression: 'note:{alpha TO omega]' },
  { name: 'range-element', expression: 'tags:<5' },
  { name: 'range-mixed', expression: 'mixed:[2020 TO 2021]' },
  { name: 'range-boolean', expression: 'active:>0' },
  { name: 'boolean-precedence', expression: 'a OR b AND c' },
  { name: 'boolean-groups', expression: '+(a b) -(c AND name:d) e' },
  { name: 'boolean-negative', expression: '-a NOT age:5' },
  { name: 'hidden-word', expression: 'seattle', hidden: ['address', 'note'] },
  { name: 'hidden-phrase', expression: '"New York" OR sea*', hidden: ['note'] },
  { name: 'hidden-field', expression: 'note:a OR address.zip:5 OR NOT name:b', hidden: ['address', 'note'] },
  { name: 'hidden-by-path-word', expression: 'seattle 5', hidden: ['address', 'note'], byPath: true },
  { name: 'hidden-by-path-phrase', expression: '"New York" sea*', hidden: ['note'], byPath: true },
  { name: 'by-path-word', expression: 'name:alpha', byPath: true },
  { name: 'by-path-mixed', expression: 'alpha name:"a b" code:c age:5 note:alp*', byPath: true },
  { name: 'hidden-by-path-field', expression: 'name:"a b" code:c age:5', hidden: ['note'], byPath: true },
];

/** The content of the golden file of a case: the expression and its two statements. */
export function goldenText({
  expression,
  visible,
  limit,
  offset,
  columns,
  hidden = [],
  byPath = false,
}: GoldenCase): string {
  const ids = Uint32Array.from(visible ?? [0, 2]);
  const bits = new Uint8Array(Math.ceil((Math.max(-1, ...ids) + 1) / 8));
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
  const { rows, count } = compileSearch({
    table: { database: 'redoubt', datasetId: 'ds_1' },
    tree: parseLucene(expression),
    paths,
    visible: { version: 1000, size: ids.length, ids, bits, has: (id) => ids.includes(id), hidden },
    byPath,
    limit: limit ?? 10,
    offset: offset ?? 0,
    columns: columns ?? 'plain',
  });
  return `-- ${expression}\n${rows};\n${count};\n`;
}

/** The URL of the golden file of a case. */
export const goldenFile = ({ name }: GoldenCase): URL =>
  new URL(`./cases/${name}.golden.sql`, import.meta.url);
