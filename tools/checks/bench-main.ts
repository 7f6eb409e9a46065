import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startPostgres } from './postgres.ts';
import { stopSignal } from './stop-signal.ts';

/** Memory enough to hold the tables, as a server for a million records would have. */
const settings = ['shared_buffers=1GB', 'work_mem=64MB', 'maintenance_work_mem=512MB', 'max_wal_size=8GB'];

const stopped = stopSignal();

/** The server that REDOUBT_BENCH_POSTGRES_URL names is left running; without it one is started for the run. */
const given = process.env['REDOUBT_BENCH_POSTGRES_URL'];
const postgres =
  given === undefined
    ? await startPostgres(stopped, settings)
    : { url: given, stop: () => Promise.resolve() };
if ('missing' in postgres) console.log(`Without PostgreSQL: ${postgres.missing}`);
const environment = 'missing' in postgres ? {} : { REDOUBT_BENCH_POSTGRES_URL: postgres.url };
try {
  const bench = spawn(
    process.execPath,
    [...process.execArgv, 'bench/src/main.ts', ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    },
  );
  stopped.addEventListener('abort', () => bench.kill());
  const [code] = await once(bench, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
} finally {
  if (!('missing' in postgres)) await postgres.stop();
}
