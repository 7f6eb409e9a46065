import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBody } from './bodies.ts';
import { startChdb } from './chdb/chdb.ts';
import { copyRecords } from './chdb/copy-records.ts';
import { visibleIds } from './chdb/statements.ts';
import { labelSetOf } from './data/label-sets.ts';
import { generateRecords } from './data/records.ts';
import { openDuckDb } from './hits/duckdb.ts';
import { withHits } from './hits/hits-stage.ts';
import { partNames, readOptions, UsageError, type Options } from './options.ts';
import { bulkLoad } from './ours/bulk-load.ts';
import { openHouse, type House } from './ours/house.ts';
import { measureAccess } from './parts/access.ts';
import { measureBulkWrite } from './parts/bulk-write.ts';
import { measureChanges } from './parts/changes.ts';
import { measureHits, reportTogether, type MeasuredQuery } from './parts/hits.ts';
import { measureHitsReads } from './parts/hits-reads.ts';
import { measureHiddenColumns } from './parts/hidden-columns.ts';
import { measureIndexes } from './parts/indexes.ts';
import { measureReadAll } from './parts/read-all.ts';
import { measureSearches } from './parts/searches.ts';
import { measureSingleWrites } from './parts/single-writes.ts';
import { measureSummaries } from './parts/summaries.ts';
import { measureWordIndex } from './parts/word-index.ts';
import { openPostgresHits } from './postgres/hits.ts';
import { connectPostgres, type PostgresSide } from './postgres/postgres.ts';
import { createReport, type Report } from './report/report.ts';
import { formatCount } from './report/statistics.ts';

const batchSize = 20_000;
const resultsFile = join(import.meta.dirname, '../last-run.md');

try {
  await runBenchmark(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function runBenchmark(options: Options): Promise<void> {
  const report = createReport(`# Benchmark of ${formatCount(options.records)} records`);
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-bench-'));
  // PostgreSQL runs as another user and reads a file in it.
  await chmod(folder, 0o755);
  const postgresUrl = process.env['REDOUBT_BENCH_POSTGRES_URL'];
  const postgres = postgresUrl === undefined ? undefined : await connectPostgres(postgresUrl);
  const house = await openHouse(folder);
  try {
    const others = partNames.some((part) => part !== 'sql' && part !== 'access' && options.parts.has(part));
    if (others)
      for (const labels of options.labels)
        await measure({ options, report, folder, house, postgres, labels });
    if (options.parts.has('access') && postgresUrl !== undefined)
      await measureAccess(report, postgresUrl, join(folder, 'access'));
    if (options.parts.has('sql')) await measureSql({ options, report, folder, house }, postgresUrl);
  } finally {
    await house.stop();
    await postgres?.close();
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`\n${report.text()}`);
  if (options.save) await writeFile(resultsFile, report.text());
}

/** Analytical queries and bulk reads, over records of their own. */
async function measureSql(
  { options, report, folder, house }: Pick<Setting, 'options' | 'report' | 'folder' | 'house'>,
  postgresUrl: string | undefined,
): Promise<void> {
  const duckDb = await openDuckDb();
  const postgres = postgresUrl === undefined ? undefined : await openPostgresHits(postgresUrl);
  const { records } = options;
  const measured: MeasuredQuery[] = [];
  try {
    for (const labels of options.sqlLabels) {
      console.log(`${formatCount(labels)} labels: loading ${formatCount(records)} hits`);
      await withHits({ folder, house, duckDb, postgres }, { records, labels }, async (stage) => {
        await measureHitsReads(stage, report);
        measured.push(...(await measureHits(stage, report, options.sqlRuns)));
      });
    }
    reportTogether(report, 'all readers', measured);
  } finally {
    await postgres?.close();
    duckDb.close();
  }
}

interface Setting {
  options: Options;
  report: Report;
  folder: string;
  house: House;
  postgres: PostgresSide | undefined;
  labels: number;
}

/** Loads the records with so many distinct labels everywhere, then measures the parts that were asked for. */
async function measure({ options, report, folder, house, postgres, labels }: Setting): Promise<void> {
  const name = `${formatCount(labels)} labels`;
  const labelSet = labelSetOf(labels);
  console.log(`${name}: making ${formatCount(options.records)} records`);
  const records = await generateRecords({
    count: options.records,
    batchSize,
    labelSet,
    toBatch: (batch) => Buffer.from(writeBody(batch)),
  });
  const dataset = await house.createDataset(`Benchmark, ${name}`, labelSet);
  console.log(`${name}: loading`);
  const load = await bulkLoad(house, dataset, records);

  const copy = join(folder, `chdb-${labels}`);
  const parts = await copyRecords(house, dataset.id, copy);
  report.note(
    `${name}: ${formatCount(records.count)} records of ${(records.bytes / records.count).toFixed(0)} bytes, ${parts} parts.`,
  );
  const chdb = startChdb();
  try {
    await chdb.open(copy);
    const ids = await chdb.labelIds(dataset.id);
    const stage = {
      options,
      name,
      report,
      labelSet,
      records,
      batchSize,
      house,
      dataset,
      load,
      chdb,
      postgres,
      visible: visibleIds(labelSet, ids),
      everyLabel: [...ids.values()],
    };
    if (options.parts.has('write')) await measureBulkWrite(stage);
    if (options.parts.has('single')) await measureSingleWrites(stage);
    if (options.parts.has('read')) await measureReadAll(stage);
    if (options.parts.has('search')) {
      if (postgres !== undefined) {
        console.log(`${name}: loading PostgreSQL`);
        const file = join(folder, 'records.tsv');
        await chdb.writeFile(dataset.id, file);
        const milliseconds = await postgres.load(file);
        await rm(file);
        report.note(
          `${name}: PostgreSQL's COPY took ${formatCount((records.count / milliseconds) * 1000)} records/s.`,
        );
      }
      await Promise.all([house.waitUntilIdle(), chdb.waitUntilIdle()]);
      await measureSearches(stage);
    }
    if (options.parts.has('words')) await measureWordIndex(stage);
    if (options.parts.has('indexes')) await measureIndexes(stage);
    if (options.parts.has('summary')) await measureSummaries(stage);
    if (options.parts.has('columns')) await measureHiddenColumns(stage);
    if (options.parts.has('change')) await measureChanges(stage);
  } finally {
    await chdb.stop();
    await rm(copy, { recursive: true });
  }
}
