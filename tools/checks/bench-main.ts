import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startPostgres } from './postgres.ts';
import { stopSignal } from './stop-signal.ts';

/** Enough memory to hold the tables, as on a server for a million records. */
const settings = ['shared_buffers=1GB', 'work_mem=64MB', 'maintenance_work_mem=512MB', 'max_wal_size=8GB'];

const stopped = stopSignal();

/** Uses the server in REDOUBT_BENCH_POSTGRES_URL and leaves it running, or starts one for the run. */
const existingUrl = process.env['REDOUBT_BENCH_POSTGRES_URL'];
const postgres =
  existingUrl === undefined
    ? await startPostgres(stopped, settings)
    : { url: existingUrl, stop: () => Promise.resolve() };
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
