import { labelPredicate } from '../chdb/statements.ts';
import { tableOf } from '../chdb/table-of.ts';
import type { ResultRows } from './result-rows.ts';
import { difference } from './result-rows.ts';
import { forChdb, forDuckDb, forOurs, forPostgres } from './dialects.ts';
import type { HitsReader, HitsFixture } from './hits-fixture.ts';
import type { HitsQuery } from './queries.ts';

export const engines = ['ours', 'chdb', 'duckDb', 'postgres'] as const;
export type EngineName = (typeof engines)[number];

/** An engine that runs a query as one reader. */
export interface Contender {
  readonly name: EngineName;
  readonly run: () => Promise<{ readonly milliseconds: number; readonly rows: ResultRows }>;
}

/** The maximum number of rows in a result of these queries. */
const maxRows = 100;

async function timed(run: () => Promise<ResultRows>): Promise<{ milliseconds: number; rows: ResultRows }> {
  const start = performance.now();
  const rows = await run();
  return { milliseconds: performance.now() - start, rows };
}

/** Prepares all engines for queries of one reader. */
export async function createContenders(
  { chdb, dataset, duckDb, server, postgres }: HitsFixture,
  { labelIds, token }: HitsReader,
): Promise<{ of(query: HitsQuery): Contender[]; close(): void }> {
  await Promise.all([duckDb.setVisible(labelIds), postgres?.setVisible(labelIds)]);
  const http = server.reader(token);
  const predicate = labelPredicate(labelIds);
  const table = tableOf(dataset.id);

  const runOurs = async (query: HitsQuery): Promise<ResultRows> => {
    const expression = forOurs(query, dataset.id);
    const body = await http.post('/query', JSON.stringify({ expression, limit: maxRows }));
    const { records } = JSON.parse(body.toString()) as { records: Record<string, unknown>[] };
    return query.gives === 'records'
      ? records.map((record) => [record])
      : records.map((record) => Object.values(record));
  };
  return {
    of(query) {
      const parsed = (rows: ResultRows): ResultRows =>
        query.gives === 'records' ? rows.map(([text]) => [JSON.parse(String(text)) as unknown]) : rows;
      const contenders: Contender[] = [
        { name: 'ours', run: () => timed(() => runOurs(query)) },
        {
          name: 'chdb',
          run: async () => {
            const { milliseconds, rows } = await chdb.run(forChdb(query, table, predicate));
            return { milliseconds, rows: parsed(rows) };
          },
        },
        { name: 'duckDb', run: () => timed(() => duckDb.run(forDuckDb(query)).then(parsed)) },
      ];
      if (postgres !== undefined)
        contenders.push({
          name: 'postgres',
          run: () => timed(() => postgres.run(forPostgres(query)).then(parsed)),
        });
      return contenders;
    },
    close: () => {
      http.close();
    },
  };
}

/**
 * Runs a query once on every engine.
 * @throws Error if one result differs from that of Redoubt
 */
export async function requireSameResults(query: HitsQuery, contenders: readonly Contender[]): Promise<void> {
  let ours: ResultRows | undefined;
  for (const { name, run } of contenders) {
    const { rows } = await run();
    ours ??= rows;
    const problem = difference(ours, rows);
    if (problem !== undefined)
      throw new Error(`Query ${String(query.number)}: ours and ${name} differ: ${problem}`);
  }
}
