import { runInShares, wholeNumberIn } from './run-in-shares.ts';
import { startPostgres } from './postgres.ts';
import { stopSignal } from './stop-signal.ts';

/**
 * Compares the answers to 200,000 statements with those of PostgreSQL. REDOUBT_SQL_QUERIES, REDOUBT_SQL_SEED (of the first
 * statement) and REDOUBT_SQL_DATA (of the records) say otherwise.
 */
const queries = wholeNumberIn('REDOUBT_SQL_QUERIES', 200_000);
const seed = wholeNumberIn('REDOUBT_SQL_SEED', 1);

const stopped = stopSignal();

const postgres = await startPostgres(stopped);
if ('missing' in postgres) throw new Error(`There is nothing to compare with: ${postgres.missing}`);
try {
  await runInShares(
    {
      file: 'testing/sql-fuzzer/src/sql-against-postgres.test.ts',
      count: { variable: 'REDOUBT_SQL_QUERIES', value: queries },
      seed: { variable: 'REDOUBT_SQL_SEED', value: seed },
      casesOfSeed: 1,
    },
    { ...process.env, REDOUBT_TEST_POSTGRES_URL: postgres.url },
    stopped,
  );
} finally {
  await postgres.stop();
}
