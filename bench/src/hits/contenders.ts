import { labelPredicate } from '../chdb/statements.ts';
import { tableOf } from '../chdb/table-of.ts';
import type { ResultRows } from './result-rows.ts';
import { difference } from './result-rows.ts';
import { forChdb, forDuckDb, forOurs, forPostgres } from './dialects.ts';
import type { HitsReader, HitsStage } from './hits-stage.ts';
import type { HitsQuery } from './queries.ts';

export const engines = ['ours', 'chdb', 'duckDb', 'postgres'] as const;
export type EngineName = (typeof engines)[number];

/** An engine that one query is put to, as one reader. */
export interface Contender {
  readonly name: EngineName;
  readonly ask: () => Promise<{ readonly milliseconds: number; readonly rows: ResultRows }>;
}

/** The most rows that a query of the set gives. */
const mostRows = 100;

async function timed(ask: () => Promise<ResultRows>): Promise<{ milliseconds: number; rows: ResultRows }> {
  const start = performance.now();
  const rows = await ask();
  return { milliseconds: performance.now() - start, rows };
}

/** Makes all engines ready for questions of one reader. */
export async function createContenders(
  { chdb, dataset, duckDb, house, postgres }: HitsStage,
  { labelIds, token }: HitsReader,
): Promise<{ of(query: HitsQuery): Contender[]; close(): void }> {
  await Promise.all([duckDb.see(labelIds), postgres?.see(labelIds)]);
  const http = house.reader(token);
  const seen = labelPredicate(labelIds);
  const table = tableOf(dataset.id);

  const askOurs = async (query: HitsQuery): Promise<ResultRows> => {
    const expression = forOurs(query, dataset.id);
    const body = await http.post('/query', JSON.stringify({ expression, limit: mostRows }));
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
        { name: 'ours', ask: () => timed(() => askOurs(query)) },
        {
          name: 'chdb',
          ask: async () => {
            const { milliseconds, rows } = await chdb.ask(forChdb(query, table, seen));
            return { milliseconds, rows: parsed(rows) };
          },
        },
        { name: 'duckDb', ask: () => timed(() => duckDb.ask(forDuckDb(query)).then(parsed)) },
      ];
      if (postgres !== undefined)
        contenders.push({
          name: 'postgres',
          ask: () => timed(() => postgres.ask(forPostgres(query)).then(parsed)),
        });
      return contenders;
    },
    close: () => {
      http.close();
    },
  };
}

/**
 * Puts a query to every engine once.
 * @throws Error where one gives another answer than ours
 */
export async function requireSameResults(query: HitsQuery, contenders: readonly Contender[]): Promise<void> {
  let ours: ResultRows | undefined;
  for (const { name, ask } of contenders) {
    const { rows } = await ask();
    ours ??= rows;
    const fault = difference(ours, rows);
    if (fault !== undefined)
      throw new Error(`Query ${String(query.number)}: ours and ${name} differ: ${fault}`);
  }
}
