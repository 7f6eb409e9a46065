import { parse, protocol, type PGlite } from '@electric-sql/pglite';

const { serialize } = protocol;

export interface StatementResult {
  rows: unknown[];
  affectedRows?: number | undefined;
}

interface PreparedStatement {
  name: string;
  /** The type id of each parameter. */
  types: readonly number[];
  uses: number;
}

const maxCached = 300;
/** Longer statements are not cached: they contain many rows and hardly ever repeat. */
const maxCachedLength = 4000;
/** After this many uses a statement is planned again, since a cached plan does not adapt to growing tables. */
const maxUsesOfPlan = 100;

/** Whether a statement cannot change the columns of a table, so that prepared statements stay valid. */
const keepsSchema = (sql: string): boolean =>
  /^\s*(\/\*.*?\*\/\s*)?(select|insert|update|delete|with|begin|commit|rollback)\b/i.test(sql);

const endsTransaction = (sql: string): boolean => /^\s*(commit|rollback)\b/i.test(sql);

const concat = (...messages: Uint8Array[]): Uint8Array => Buffer.concat(messages);

/**
 * Runs statements on PGlite through a cache of prepared statements, so that repeated ones are parsed and planned once.
 * PGlite's own `query` parses every time and enters the database six times per statement, which takes four times as
 * long. Runs one statement at a time.
 */
export const createStatements = (
  db: PGlite,
): ((sql: string, parameters: readonly unknown[]) => Promise<StatementResult>) => {
  /** In order of use: the most recently used one is last. */
  const cached = new Map<string, PreparedStatement>();
  let names = 0;
  /** Whether the open transaction may have changed columns. */
  let hasChanged = false;

  const exchange = (...messages: Uint8Array[]) =>
    db.execProtocolStream(concat(...messages, serialize.sync()), { syncToFs: false });

  const evict = (texts: readonly string[]): Uint8Array[] =>
    texts.map((sql) => {
      const name = cached.get(sql)?.name ?? '';
      cached.delete(sql);
      return serialize.close({ type: 'S', name });
    });

  const prepare = async (sql: string, name: string): Promise<PreparedStatement> => {
    const [oldest] = cached.keys();
    const evicted = cached.size < maxCached || oldest === undefined ? [] : [oldest];
    const messages = await exchange(
      ...evict(evicted),
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
    );
    return { name, types: parse.parseDescribeStatementResults(messages), uses: 0 };
  };

  const find = async (sql: string): Promise<PreparedStatement> => {
    const known = cached.get(sql);
    if (known === undefined) return prepare(sql, `s${(names += 1)}`);
    cached.delete(sql);
    if (known.uses < maxUsesOfPlan) return known;
    await exchange(serialize.close({ type: 'S', name: known.name }));
    return prepare(sql, known.name);
  };

  const serialized = (value: unknown, type: number | undefined): string | Uint8Array | null => {
    if (value === null || value === undefined) return null;
    const serializer = type === undefined ? undefined : db.serializers[type];
    return serializer === undefined ? (value as { toString(): string }).toString() : serializer(value);
  };

  const execute = async (
    { name, types }: PreparedStatement,
    parameters: readonly unknown[],
  ): Promise<StatementResult> => {
    const values = parameters.map((value, index) => serialized(value, types[index]));
    const messages = await exchange(
      serialize.bind({ statement: name, values }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
    );
    const [result] = parse.parseResults(messages, db.parsers);
    return { rows: result?.rows ?? [], affectedRows: result?.affectedRows };
  };

  return (sql, parameters) =>
    db.runExclusive(async () => {
      try {
        const mayChange = !keepsSchema(sql);
        // A rollback restores the columns, so statements prepared after the change are invalid again.
        if (mayChange || (hasChanged && endsTransaction(sql))) {
          hasChanged = mayChange;
          await exchange(...evict([...cached.keys()]));
          return await execute(await prepare(sql, ''), parameters);
        }
        if (sql.length > maxCachedLength) return await execute(await prepare(sql, ''), parameters);
        const prepared = await find(sql);
        prepared.uses += 1;
        cached.set(sql, prepared);
        return await execute(prepared, parameters);
      } finally {
        await db.syncToFs();
      }
    });
};
