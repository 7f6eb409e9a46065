import {
  maxCellCharacters,
  profiledRecords,
  type FieldProfile,
  type ProfilesRequest,
} from '@redoubt/contract';
import type { DatasetStatement, RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import {
  comparable,
  findField,
  quoteName,
  textOf,
  whereClause,
  type StatementField,
} from '@redoubt/query/rows';
import {
  barEdges,
  barExpression,
  barsOf,
  isMeasured,
  measureExpressions,
  type FieldMeasures,
} from './field-profiles.ts';
import type { ReadScope } from './read-scope.ts';
import { parseSearch } from './read.service.ts';
import { parseStatement } from './rows.service.ts';

type Row = Readonly<Record<string, unknown>>;

/** The first records of the selection, with some of their fields as columns. */
export interface Sample {
  /** The columns that the fields have; undefined for a field that no visible record has. */
  columns: readonly (StatementField | undefined)[];
  /** Runs `SELECT … FROM (the sample)…`. */
  select(list: string, rest?: string): Promise<Row[]>;
  /** How many records match. */
  countAll(): Promise<number>;
}

export interface SampleDeps {
  store: Pick<RecordStore, 'fields' | 'readRows'>;
  clock: Clock;
}

const topValues = 10;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const listedValue = ({ value, many, is_cut: isCut }: Row) => ({
  value: String(value),
  count: Number(many),
  isCut: isCut === true,
});

/** The select list of a query that counts the values of a column. */
export const valueList = (column: StatementField): string =>
  `left(${textOf(column)}, ${String(maxCellCharacters)}) AS value, count(*) AS many, length(${textOf(column)}) > ${String(maxCellCharacters)} AS is_cut`;

/** Opens the sample of the records that match a request. */
export const openSample = async (
  { store, clock }: SampleDeps,
  actor: Member,
  scope: ReadScope,
  request: Pick<ProfilesRequest, 'fields' | 'filters' | 'lucene'>,
  signal: AbortSignal,
): Promise<Sample> => {
  const { datasetId, visible } = scope;
  const fields = await store.fields(datasetId, visible);
  const statement: Omit<DatasetStatement, 'limit' | 'offset' | 'parsed'> = {
    source: { id: datasetId, name: datasetId, visible, fields },
    tree: request.lucene === undefined ? undefined : parseSearch(request.lucene, scope.searchAnyField),
    now: clock.now(),
    person: actor.accountId,
    signal,
  };
  const run = async (text: string): Promise<Row[]> =>
    store.readRows({ ...statement, parsed: await parseStatement(text), limit: -1, offset: 0 });
  const from = `FROM ${quoteName(datasetId)}${whereClause(fields, request.filters)}`;
  const found = request.fields.map((name) => findField(fields, name));
  const list = found.flatMap((field, at) =>
    field === undefined ? [] : [`${quoteName(field.path)} AS f${String(at)}`],
  );
  const sample = `(SELECT ${list.length === 0 ? '1 AS f' : list.join(', ')} ${from} ORDER BY _koverse_record_id LIMIT ${String(profiledRecords)}) AS sample`;
  return {
    columns: found.map((field, at) => field && { path: `f${String(at)}`, type: field.type }),
    select: (columns, rest = '') => run(`SELECT ${columns} FROM ${sample}${rest}`),
    countAll: async () => Number((await run(`SELECT count(*) AS many ${from}`))[0]?.['many']),
  };
};

/** Whether more records match than the sample has. */
export const isSample = async (sample: Sample, records: number): Promise<boolean> =>
  records === profiledRecords && (await sample.countAll()) > records;

/** Counts the bars or the frequent values of a column. */
export const chartOf = async (
  sample: Sample,
  column: StatementField,
  measures: FieldMeasures,
): Promise<Pick<FieldProfile, 'histogram' | 'top'>> => {
  if (!isMeasured(column)) {
    const rest = ` WHERE ${comparable(column)} IS NOT NULL GROUP BY ${comparable(column)} ORDER BY 2 DESC, 1 LIMIT ${String(topValues)}`;
    const rows = measures.present === 0 ? [] : await sample.select(valueList(column), rest);
    return { histogram: null, top: rows.map(listedValue) };
  }
  const edges = barEdges(column, measures);
  if (edges.length < 2) return { histogram: [], top: null };
  const bar = barExpression(column, edges);
  const counts = await sample.select(`${bar} AS bar, count(*) AS many`, ' GROUP BY 1');
  return { histogram: barsOf(edges, counts), top: null };
};

/** Counts the records, and measures each column. */
export const measure = async (sample: Sample): Promise<{ records: number; measures: FieldMeasures[] }> => {
  const expressions = sample.columns.flatMap((column, at) =>
    column === undefined
      ? []
      : measureExpressions(column).map((sql, part) => `${sql} AS m${String(at)}_${String(part)}`),
  );
  const [row = {}] = await sample.select(['count(*) AS records', ...expressions].join(', '));
  const measures = sample.columns.map((_column, at) => {
    const part = (number: number): unknown => row[`m${String(at)}_${String(number)}`];
    return {
      present: Number(part(0) ?? 0),
      distinct: Number(part(1) ?? 0),
      min: textOrNull(part(2)),
      max: textOrNull(part(3)),
    };
  });
  return { records: Number(row['records']), measures };
};
