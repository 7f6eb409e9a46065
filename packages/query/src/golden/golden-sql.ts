import { compileSql } from '../sql/compile-statement.ts';
import type { SqlDataset, SqlField } from '../sql/statement/compilation-context.ts';
import { findNamed } from '../sql/statement/names.ts';
import { parseSql } from '../sql/statement/parse-sql.ts';
import { fieldTypeOf } from '../storage/field-type.ts';
import { kindBit, kinds, type Kind } from '../storage/record-columns.ts';

const field = (path: string, pathId: number, ...seen: Kind[]): SqlField => {
  const mask = seen.reduce<number>((all, kind) => all | kindBit(kind), 0);
  return {
    path,
    type: fieldTypeOf(path, mask),
    entry: { pathId, kinds: mask },
    topLevel: !path.includes('.'),
  };
};

const dataset = (
  id: string,
  name: string,
  labels: number[],
  fields: SqlField[],
  hidden: string[] = [],
): SqlDataset => {
  const ids = Uint32Array.from(labels);
  const bits = Uint8Array.of(labels.reduce((all, label) => all | (1 << label), 0));
  const visible = {
    version: 8,
    size: ids.length,
    ids,
    bits,
    has: (label: number) => labels.includes(label),
    hidden,
  };
  return { id, name, table: { database: 'redoubt', datasetId: id }, visible, fields };
};

const datasets = [
  dataset(
    'ds_1',
    'people',
    [0, 2],
    [
      field('id', 0, kinds.integer),
      field('name', 1, kinds.text),
      field('age', 2, kinds.integer, kinds.null),
      field('score', 3, kinds.float, kinds.integer),
      field('big', 4, kinds.big, kinds.integer),
      field('active', 5, kinds.boolean),
      field('joined', 6, kinds.timestamp),
      field('info', 7, kinds.object),
      field('mixed', 8, kinds.text, kinds.integer, kinds.boolean),
      field('address', 9, kinds.object),
      field('address.city', 10, kinds.text),
      field('address.zip', 11, kinds.integer),
    ],
  ),
  dataset(
    'ds_2',
    'orders',
    [1],
    [
      field('id', 0, kinds.integer),
      field('person', 1, kinds.integer),
      field('amount', 2, kinds.float),
      field('note', 3, kinds.text),
    ],
  ),
  dataset(
    'ds_3',
    'staff',
    [1],
    [
      field('id', 0, kinds.integer),
      field('mixed', 1, kinds.text, kinds.integer),
      field('pay', 2, kinds.object),
      field('pay.grade', 3, kinds.integer),
    ],
    ['pay.note', 'ssn'],
  ),
];

/** The content of the golden file of a statement: the statement and its compiled SQL. */
export async function sqlGoldenText(statement: string): Promise<string> {
  const { rows, count } = compileSql({
    parsed: await parseSql(statement),
    catalog: { find: (name) => findNamed(datasets, (known) => known.name, name) },
    now: new Date('2024-05-06T07:08:09.123Z'),
    limit: 10,
    offset: 0,
    columns: 'plain',
  });
  return `-- ${statement}\n${rows};\n${count};\n`;
}

/** The URL of the golden file of a statement. */
export const sqlGoldenFile = (name: string): URL => new URL(`./sql/${name}.golden.sql`, import.meta.url);
