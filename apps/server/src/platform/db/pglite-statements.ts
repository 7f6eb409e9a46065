import { parse, protocol, type PGlite } from '@electric-sql/pglite';

const { serialize } = protocol;

export interface Answer {
  rows: unknown[];
  affectedRows?: number | undefined;
}

interface Prepared {
  name: string;
  /** What the database takes each parameter for. */
  types: readonly number[];
  uses: number;
}

const keptAtMost = 300;
/** Longer texts are those of statements over many rows, which hardly ever come twice. */
const longestKept = 4000;
/** After so many uses a statement is planned anew, since tables grow and a plan that is kept does not. */
const usesOfAPlan = 100;

/** Statements that change no table's columns, so that what was prepared stays as it is. */
const isOrdinary = (sql: string): boolean =>
  /^\s*(\/\*.*?\*\/\s*)?(select|insert|update|delete|with|begin|commit|rollback)\b/i.test(sql);

const endsTransaction = (sql: string): boolean => /^\s*(commit|rollback)\b/i.test(sql);

const together = (...messages: Uint8Array[]): Uint8Array => Buffer.concat(messages);

/**
 * Runs statements on PGlite, and has the database read and plan those that come again once for many uses. PGlite's own `query`
 * does so every time, and enters the database six times for each statement, which costs four times as much. One statement at a
 * time.
 */
export const createStatements = (
  db: PGlite,
): ((sql: string, parameters: readonly unknown[]) => Promise<Answer>) => {
  /** The one that was used last stands last. */
  const kept = new Map<string, Prepared>();
  let names = 0;
  /** Whether columns may have changed in the transaction that is open. */
  let hasChanged = false;

  const ask = (...messages: Uint8Array[]) =>
    db.execProtocolStream(together(...messages, serialize.sync()), { syncToFs: false });

  const forget = (texts: readonly string[]): Uint8Array[] =>
    texts.map((sql) => {
      const name = kept.get(sql)?.name ?? '';
      kept.delete(sql);
      return serialize.close({ type: 'S', name });
    });

  const prepare = async (sql: string, name: string): Promise<Prepared> => {
    const [oldest] = kept.keys();
    const tooMany = kept.size < keptAtMost || oldest === undefined ? [] : [oldest];
    const messages = await ask(
      ...forget(tooMany),
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
    );
    return { name, types: parse.parseDescribeStatementResults(messages), uses: 0 };
  };

  const find = async (sql: string): Promise<Prepared> => {
    const known = kept.get(sql);
    if (known === undefined) return prepare(sql, `s${(names += 1)}`);
    kept.delete(sql);
    if (known.uses < usesOfAPlan) return known;
    await ask(serialize.close({ type: 'S', name: known.name }));
    return prepare(sql, known.name);
  };

  const serialized = (value: unknown, type: number | undefined): string | Uint8Array | null => {
    if (value === null || value === undefined) return null;
    const serializer = type === undefined ? undefined : db.serializers[type];
    return serializer === undefined ? (value as { toString(): string }).toString() : serializer(value);
  };

  const execute = async ({ name, types }: Prepared, parameters: readonly unknown[]): Promise<Answer> => {
    const values = parameters.map((value, index) => serialized(value, types[index]));
    const messages = await ask(
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
        const mayChange = !isOrdinary(sql);
        // What was prepared between a change and its rollback is for columns that are no more.
        if (mayChange || (hasChanged && endsTransaction(sql))) {
          hasChanged = mayChange;
          await ask(...forget([...kept.keys()]));
          return await execute(await prepare(sql, ''), parameters);
        }
        if (sql.length > longestKept) return await execute(await prepare(sql, ''), parameters);
        const prepared = await find(sql);
        prepared.uses += 1;
        kept.set(sql, prepared);
        return await execute(prepared, parameters);
      } finally {
        await db.syncToFs();
      }
    });
};
