import { parseSql, UnsupportedSqlError, type WrittenName } from '@redoubt/query';
import { RedoubtError } from '@redoubt/errors';
import type { ReferenceResult, ReferenceDatabase } from '@redoubt/testkit';
import type { TestStore } from '@redoubt/records/testing';
import { textOf } from '@redoubt/records/testing';
import { parseResponse, type ResponseValue } from './response-value.ts';
import { differenceOf, isBeyondEngine } from './compare-rows.ts';
import { createRandom } from '@redoubt/testkit';
import { withRoundedDoubles } from './rounded-doubles.ts';
import { ourText, postgresText } from './sql-tree.ts';
import { postgresTypes, rowsOf, testTables } from './tables.ts';

/** The outcome of running a statement on Redoubt and on PostgreSQL. */
export type Comparison =
  | { readonly kind: 'same' | 'unsupported' | 'refused' | 'raised'; readonly detail: string }
  | { readonly kind: 'different'; readonly detail: string };

/** The same rows in a record store and in PostgreSQL. */
export interface SqlComparison {
  /** Returns the rows of the store. */
  ours(sql: string): Promise<{
    rows: Record<string, ResponseValue>[];
    total: number;
    schema: Record<string, { type: string }>;
  }>;
  /** Runs a statement on both. It names nested fields between « and ». */
  compare(statement: string, ordered: boolean): Promise<Comparison>;
}

/** Expressions that divide numerics. */
const divides = /\/|\b(?:avg|stddev|variance|var_)/;

/**
 * PostgreSQL rounds a large average to fewer digits than Redoubt, so the remainders of the two averages may differ
 * totally.
 */
const hasRemainderOfAverage = (statement: string): boolean =>
  /\bmod\(/.test(statement) && /\bavg\(/.test(statement);

/** Clauses that return one of several equal values. */
const groups = /\b(?:group by|distinct|union|intersect|except)\b/;

/**
 * Rewrites of a statement. Each avoids one documented difference, because it may change which rows are selected,
 * distinguished or counted: products and quotients of large numerics are NULL in the engine, doubles may differ in the
 * last digit, and a group of equal values may return 0 instead of -0.
 */
const withoutDifferences: readonly ((statement: string) => string)[] = [
  (statement) =>
    /[*/]/.test(statement)
      ? statement.replaceAll(/\b(t\d+)\.(big|"unit price")/g, '(case when abs($1.$2) < 1e9 then $1.$2 end)')
      : statement,
  withRoundedDoubles,
  (statement) => statement.replaceAll(/\b(t\d+)\.ratio\b/g, '($1.ratio + 0)'),
];

/** Rows that are sorted by these may have another order, because doubles can differ in the last digit. */
const ofDoubles = /\b(?:avg|sum|corr|covar_\w+|var_\w+|variance|stddev\w*|regr_\w+)\(/;

/** Milliseconds. A statement over so few rows that takes longer would probably never end. */
const longestStatement = 20_000;

const now = new Date('2024-05-06T07:08:09.123Z');

/**
 * Writes the test tables to a record store and to PostgreSQL.
 * @param seed the seed of the rows
 */
export async function openComparison(
  test: TestStore,
  reference: ReferenceDatabase,
  seed: number,
): Promise<SqlComparison> {
  const random = createRandom(seed);
  const ids = new Map<string, string>();
  for (const table of testTables) {
    const rows = rowsOf(table, random);
    const id = await test.dataset();
    ids.set(table.name, id);
    await test.write(id, `[${rows.map(({ record }) => record).join(',')}]`);
    const names = table.columns.map(({ name }) => postgresText(name));
    const definitions = table.columns.map(({ type }, i) => `${names[i] ?? ''} ${postgresTypes[type]}`);
    await must(reference, `create table ${table.name} (${definitions.join(', ')})`);
    for (const { values } of rows) {
      const places = values.map((_, i) => `$${String(i + 1)}`).join(', ');
      await must(reference, `insert into ${table.name} values (${places})`, values);
    }
  }

  const ours: SqlComparison['ours'] = async (sql) => {
    const find = async (name: string) => {
      const id = ids.get(name);
      if (id === undefined) return undefined;
      const visible = await test.visible(id);
      return { id, name, visible, fields: await test.store.fields(id, visible) };
    };
    const sources = new Map(
      await Promise.all([...ids.keys()].map(async (name) => [name, await find(name)] as const)),
    );
    const reading = await test.store.sql({
      parsed: await parseSql(sql),
      find: ({ folded }: WrittenName) => sources.get(folded),
      limit: -1,
      offset: 0,
      internalFields: undefined,
      now,
      signal: AbortSignal.timeout(longestStatement),
    });
    const rows = parseResponse(await textOf(reading.rows));
    return { rows, total: await reading.total(), schema: reading.schema };
  };

  return {
    ours,
    async compare(statement, ordered) {
      const expected = await reference.query(postgresText(statement));
      const found = await compareWith(expected, statement, ordered);
      if (found.kind !== 'different' || 'refused' in expected) return found;
      const isOfRows = /^(?:the total is|row \d)/.test(found.detail);
      const isOfValues = /^(?:row \d|lacking)/.test(found.detail);
      const isBeyond =
        (isOfRows && isBeyondEngine(expected)) ||
        (isOfValues && hasRemainderOfAverage(statement)) ||
        ((isOfRows || isOfValues) && (await isKnown(statement, expected, ordered)));
      return isBeyond ? { kind: 'raised', detail: found.detail } : found;
    },
  };

  /** Whether both results are the same once the statement avoids one of the documented differences. */
  async function isKnown(statement: string, expected: ReferenceResult, ordered: boolean): Promise<boolean> {
    if (ordered && ofDoubles.test(statement)) {
      const { kind } = await compareWith(expected, statement, false);
      if (kind === 'same') return true;
    }
    for (const without of withoutDifferences) {
      const other = without(statement);
      if (other === statement) continue;
      const { kind } = await compareWith(await reference.query(postgresText(other)), other, ordered);
      if (kind === 'same') return true;
    }
    return false;
  }

  async function compareWith(
    expected: ReferenceResult,
    statement: string,
    ordered: boolean,
  ): Promise<Comparison> {
    let result;
    try {
      result = await ours(ourText(statement));
    } catch (error) {
      return refusal(error, expected);
    }
    if ('refused' in expected) {
      return isTaken(expected)
        ? { kind: 'raised', detail: expected.refused }
        : { kind: 'different', detail: `PostgreSQL refuses: ${expected.refused}` };
    }
    if (result.total !== expected.rows.length) {
      return {
        kind: 'different',
        detail: `the total is ${String(result.total)}, not ${String(expected.rows.length)}`,
      };
    }
    const misnamed = expected.columns.find(({ name, type }) => result.schema[name]?.type !== typeNames[type]);
    if (misnamed !== undefined) {
      const { name, type } = misnamed;
      const given = result.schema[name]?.type ?? 'not there';
      return {
        kind: 'different',
        detail: `the column ${name} is ${given}, not ${typeNames[type] ?? String(type)}`,
      };
    }
    const difference = differenceOf(expected, result.rows, {
      ordered,
      isQuotient: divides.test(statement),
      isGrouped: groups.test(statement),
    });
    return difference === undefined
      ? { kind: 'same', detail: '' }
      : { kind: 'different', detail: difference };
  }
}

/** The names of PostgreSQL's types by their ids. */
export const typeNames: Record<number, string> = {
  16: 'boolean',
  20: 'bigint',
  21: 'smallint',
  23: 'integer',
  25: 'text',
  701: 'double precision',
  1043: 'text',
  1082: 'date',
  1114: 'timestamp',
  1184: 'timestamptz',
  1186: 'interval',
  1700: 'numeric',
  3802: 'jsonb',
  1000: 'boolean[]',
  1005: 'smallint[]',
  1007: 'integer[]',
  1009: 'text[]',
  1015: 'text[]',
  1016: 'bigint[]',
  1187: 'interval[]',
  1022: 'double precision[]',
  1115: 'timestamp[]',
  1182: 'date[]',
  1231: 'numeric[]',
};

const ofVarchars =
  /^operator does not exist: (?:text\[\] \S+ character varying\[\]|character varying\[\] \S+ text\[\])$/;

/** Whether Redoubt may return rows where PostgreSQL fails: errors of values, and comparisons of text with varchar. */
const isTaken = ({ code, refused }: { readonly code: string; readonly refused: string }): boolean =>
  /^(?:22|21|0A|54|57)/.test(code) || ofVarchars.test(refused);

const refusal = (error: unknown, expected: Awaited<ReturnType<ReferenceDatabase['query']>>): Comparison => {
  if (!(error instanceof RedoubtError)) {
    return {
      kind: 'different',
      detail: `we fail: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (error instanceof UnsupportedSqlError) return { kind: 'unsupported', detail: error.message };
  // PostgreSQL may skip a subquery that it does not need, while Redoubt rejects the rows that it returns.
  if (error.name === 'QueryError') return { kind: 'raised', detail: error.message };
  if ('refused' in expected && /^(?:2|5)/.test(expected.code))
    return { kind: 'raised', detail: expected.refused };
  if (error.name !== 'SqlParseError') return { kind: 'different', detail: `we fail: ${error.message}` };
  return 'refused' in expected
    ? { kind: 'refused', detail: error.message }
    : { kind: 'different', detail: `we refuse what PostgreSQL answers: ${error.message}` };
};

async function must(
  reference: ReferenceDatabase,
  statement: string,
  values: readonly (string | null)[] = [],
): Promise<void> {
  const result = await reference.query(statement, values);
  if ('refused' in result) throw new Error(`${result.refused}: ${statement} ${JSON.stringify(values)}`);
}
