import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runBenchmark } from './benchmark.ts';
import { readOptions, UsageError } from './options.ts';

const resultsFile = join(import.meta.dirname, '../last-run.md');

try {
  const options = readOptions(process.argv.slice(2));
  const report = await runBenchmark(options, process.env['REDOUBT_BENCH_POSTGRES_URL']);
  console.log(`\n${report.text()}`);
  if (options.save) await writeFile(resultsFile, report.text());
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
