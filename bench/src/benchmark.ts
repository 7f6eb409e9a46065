import { chmod, mkdtemp, rm } from 'node:fs/promises';
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
import type { Options, PartName } from './options.ts';
import { bulkLoad } from './ours/bulk-load.ts';
import { startBenchServer, type BenchServer } from './ours/bench-server.ts';
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
import { connectPostgres, type PostgresContender } from './postgres/postgres.ts';
import { createReport, type Report } from './report/report.ts';
import type { Stage } from './stage.ts';
import { formatCount } from './report/statistics.ts';

const batchSize = 20_000;

/** Goes through the parts that were asked for, and gives their figures. */
export async function runBenchmark(options: Options, postgresUrl: string | undefined): Promise<Report> {
  const report = createReport(`# Benchmark of ${formatCount(options.records)} records`);
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-bench-'));
  // PostgreSQL runs as another user and reads a file in it.
  await chmod(folder, 0o755);
  const postgres = postgresUrl === undefined ? undefined : await connectPostgres(postgresUrl);
  const house = await startBenchServer(folder, options.pace);
  try {
    if (stageParts.some(([part]) => options.parts.has(part)))
      for (const labels of options.labels)
        await measure({ options, report, folder, house, postgres, labels });
    if (options.parts.has('access')) {
      console.log('part access');
      if (postgresUrl === undefined) report.note('access: not measured, as there is no PostgreSQL.');
      else await measureAccess(report, postgresUrl, join(folder, 'access'), options.pace);
    }
    if (options.parts.has('sql')) {
      console.log('part sql');
      await measureSql({ options, report, folder, house }, postgresUrl);
    }
  } finally {
    await house.stop();
    await postgres?.close();
    await rm(folder, { recursive: true, force: true });
  }
  return report;
}

/** The parts that are measured with each number of labels, in their order: those that add to the dataset or change it come last. */
const stageParts: readonly [PartName, (stage: Stage) => Promise<void>][] = [
  ['write', measureBulkWrite],
  ['single', measureSingleWrites],
  ['read', measureReadAll],
  ['search', measureSearches],
  ['words', measureWordIndex],
  ['indexes', measureIndexes],
  ['summary', measureSummaries],
  ['columns', measureHiddenColumns],
  ['change', measureChanges],
];

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
  house: BenchServer;
  postgres: PostgresContender | undefined;
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
  const chdb = startChdb(options.pace);
  try {
    await chdb.open(copy);
    const ids = await chdb.labelIds(dataset.id);
    const stage: Stage = {
      options,
      folder,
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
    for (const [part, measurePart] of stageParts) {
      if (!options.parts.has(part)) continue;
      console.log(`part ${part}, ${name}`);
      await measurePart(stage);
    }
  } finally {
    await chdb.stop();
    await rm(copy, { recursive: true });
  }
}
