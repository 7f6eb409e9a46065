import type { Expression } from '../expression.ts';
import { compileDocuments, documentField } from '../../compile/compile-documents.ts';
import { compileLabelPredicate } from '../../compile/label-filter.ts';
import { quoteIdentifier, quoteString } from '../../storage/quoting.ts';
import { recordColumns } from '../../storage/record-columns.ts';
import { compileVisibleText } from '../../compile/visible-text.ts';
import { columnExpression, columnType } from '../scan-columns.ts';
import { toScalarType, type SqlType } from '../types.ts';
import type { Compilation, SqlDataset, SqlField } from './compilation-context.ts';
import { findNamed, type WrittenName } from './names.ts';
import type { Column, RecordSource, Relation } from './relation.ts';

interface UsedColumn {
  name: string;
  sql: string;
}

/** The columns of a scan that the statement uses. Only these are read. */
class UsedColumns {
  readonly #columns = new Map<string, UsedColumn>();
  readonly #compilation: Compilation;

  constructor(compilation: Compilation) {
    this.#compilation = compilation;
  }

  /** Returns the name of the column for an expression. */
  use(sql: string): string {
    let column = this.#columns.get(sql);
    if (column === undefined) {
      column = { name: this.#compilation.name(), sql };
      this.#columns.set(sql, column);
    }
    return column.name;
  }

  expressions(): string[] {
    return Array.from(this.#columns.values(), ({ sql }) => sql);
  }

  list(): string {
    if (this.#columns.size === 0) this.use('1');
    return [...this.#columns.values()].map(({ name, sql }) => `${sql} AS ${name}`).join(', ');
  }
}

const { recordId, raw, labelId, ingestedAt } = recordColumns;

const ownColumns = { recordId, raw, labelId, ingestedAt };

/**
 * Creates the scan of a dataset, which returns only rows whose label is visible to the reader. Statements name the
 * table nowhere else, and here the label predicate comes before all other conditions.
 */
export function createScan(compilation: Compilation, dataset: SqlDataset, alias: string): RecordSource {
  const used = new UsedColumns(compilation);
  const text = compileVisibleText(dataset.visible.hidden);
  const columnOf = (name: string, sql: string, type: SqlType): Column => ({
    name,
    get: (at): Expression => {
      compilation.touched.add(relation.id);
      return { sql: used.use(sql), type, at };
    },
  });
  const fieldColumn = ({ path, type, entry }: SqlField): Column =>
    columnOf(path, columnExpression({ ...entry, path }, type, text.nameFor(path)), columnType(type));
  const internal = internalColumns(dataset).map(({ name, sql, type }) => columnOf(name, sql, type));
  const relation: Relation = {
    id: compilation.id(),
    alias,
    columns: () => dataset.fields.filter(({ topLevel }) => topLevel).map(fieldColumn),
    find: (names) => {
      const own = names.length === 1 ? internal.find(({ name }) => name === names[0]?.folded) : undefined;
      if (own !== undefined) return own;
      const field = findNamed(dataset.fields, ({ path }) => path, dotted(names));
      return field === undefined || field === 'ambiguous' ? field : fieldColumn(field);
    },
  };
  const { database, datasetId } = dataset.table;
  const table = `${quoteIdentifier(database)}.${quoteIdentifier(datasetId)}`;
  const documents = dataset.fields.find(({ path }) => path === documentField)?.entry;
  const only = dataset.documents === true ? ` AND ${compileDocuments(documents)}` : '';
  const outside = compilation.name();
  return {
    relations: [relation],
    simple: true,
    use: (column) => used.use(ownColumns[column]),
    expression: (sql) => used.use(sql),
    tieBreakers: () => [used.use(recordId)],
    render: () => {
      const list = used.list();
      const clause = compilation.aside(text.clauseFor(used.expressions()));
      const filter = compilation.aside(compileLabelPredicate(dataset.visible));
      // A placeholder, because the size of a search predicate depends on hidden columns.
      const matching = dataset.matching === undefined ? '' : compilation.aside(` AND ${dataset.matching}`);
      return `(${clause}SELECT ${list} FROM ${table} PREWHERE ${filter}${only}${matching}) AS ${outside}`;
    },
  };
}

/** `a.b.c` names the field at that path. */
function dotted(names: readonly WrittenName[]): WrittenName {
  return {
    folded: names.map(({ folded }) => folded).join('.'),
    written: names.map(({ written }) => written).join('.'),
    quoted: names.some(({ quoted }) => quoted),
  };
}

const internalColumns = (dataset: SqlDataset): { name: string; sql: string; type: SqlType }[] => [
  {
    name: '_koverse_record_id',
    sql: `CAST(${recordId} AS Nullable(String))`,
    type: toScalarType('text'),
  },
  {
    name: '_koverse_dataset_id',
    sql: `CAST(${quoteString(dataset.id)} AS Nullable(String))`,
    type: toScalarType('text'),
  },
  {
    name: '_koverse_timestamp',
    sql: `CAST(toDateTime64(${ingestedAt}, 6, 'UTC') AS Nullable(DateTime64(6, 'UTC')))`,
    type: toScalarType('timestamp'),
  },
];
