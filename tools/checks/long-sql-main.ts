import { runInShares, readPositiveInteger } from './run-in-shares.ts';
import { startPostgres } from './postgres.ts';
import { stopSignal } from './stop-signal.ts';

/**
 * Compares the results of 200,000 statements with those of PostgreSQL. REDOUBT_SQL_QUERIES sets the number of
 * statements, REDOUBT_SQL_SEED the seed of the first statement, and REDOUBT_SQL_DATA the seed of the records.
 */
const queries = readPositiveInteger('REDOUBT_SQL_QUERIES', 200_000);
const seed = readPositiveInteger('REDOUBT_SQL_SEED', 1);

const stopped = stopSignal();

const postgres = await startPostgres(stopped);
if ('missing' in postgres) throw new Error(`The comparison needs PostgreSQL: ${postgres.missing}`);
try {
  await runInShares(
    {
      file: 'testing/sql-fuzzer/src/sql-against-postgres.test.ts',
      count: { variable: 'REDOUBT_SQL_QUERIES', value: queries },
      seed: { variable: 'REDOUBT_SQL_SEED', value: seed },
      casesPerSeed: 1,
    },
    { ...process.env, REDOUBT_TEST_POSTGRES_URL: postgres.url },
    stopped,
  );
} finally {
  await postgres.stop();
}
