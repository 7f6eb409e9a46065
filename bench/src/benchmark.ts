import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChdb } from './chdb/chdb.ts';
import { copyRecords } from './chdb/copy-records.ts';
import { visibleIds } from './chdb/statements.ts';
import { labelSetOf } from './data/label-sets.ts';
import { generateRecords } from './data/records.ts';
import { openDuckDb } from './hits/duckdb.ts';
import { withHits } from './hits/hits-fixture.ts';
import type { Options, PartName } from './options.ts';
import { bulkLoad, writeBody } from './ours/bulk-load.ts';
import { startBenchServer } from './ours/bench-server.ts';
import { measureBulkWrite } from './parts/bulk-write.ts';
import { measureHits, reportTogether, type MeasuredQuery } from './parts/hits.ts';
import { measureHitsReads } from './parts/hits-reads.ts';
import { measureIngest } from './parts/ingest.ts';
import { measureReadAll } from './parts/read-all.ts';
import { measureSearches } from './parts/searches.ts';
import { measureSingleWrites } from './parts/single-writes.ts';
import { measureSources } from './parts/sources.ts';
import { openPostgresHits } from './postgres/hits.ts';
import { connectPostgres, type PostgresContender } from './postgres/postgres.ts';
import { createReport, type Report } from './report/report.ts';
import type { BenchFixture, PartContext } from './fixture.ts';
import { formatCount } from './report/statistics.ts';

const batchSize = 20_000;

/** Runs the selected parts and returns their measurements. */
export async function runBenchmark(options: Options, postgresUrl: string | undefined): Promise<Report> {
  const report = createReport(`# Benchmark of ${formatCount(options.records)} records`);
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-bench-'));
  // PostgreSQL runs as another user and must read a file in this folder.
  await chmod(folder, 0o755);
  const postgres = postgresUrl === undefined ? undefined : await connectPostgres(postgresUrl);
  const server = await startBenchServer(folder, options.pace);
  try {
    if (fixtureParts.some(([part]) => options.parts.has(part)))
      for (const labels of options.labels)
        await measure({ options, report, folder, server, postgres, labels });
    if (options.parts.has('ingest')) {
      console.log('part ingest');
      await measureIngest({ options, report, folder, server }, postgresUrl);
    }
    if (options.parts.has('sources')) {
      console.log('part sources');
      await measureSources({ options, report, folder, server });
    }
    if (options.parts.has('sql')) {
      console.log('part sql');
      await measureSql({ options, report, folder, server }, postgresUrl);
    }
  } finally {
    await server.stop();
    await postgres?.close();
    await rm(folder, { recursive: true, force: true });
  }
  return report;
}

/** The parts that run with each number of labels, in order. */
const fixtureParts: readonly [PartName, (fixture: BenchFixture) => Promise<void>][] = [
  ['write', measureBulkWrite],
  ['single', measureSingleWrites],
  ['read', measureReadAll],
  ['search', measureSearches],
];

/** Measures analytical queries and bulk reads, on their own records. */
async function measureSql(
  { options, report, folder, server }: PartContext,
  postgresUrl: string | undefined,
): Promise<void> {
  const duckDb = await openDuckDb();
  const postgres = postgresUrl === undefined ? undefined : await openPostgresHits(postgresUrl);
  const { records } = options;
  const measured: MeasuredQuery[] = [];
  try {
    for (const labels of options.sqlLabels) {
      console.log(`${formatCount(labels)} labels: loading ${formatCount(records)} hits`);
      await withHits({ folder, server, duckDb, postgres }, { records, labels }, async (fixture) => {
        await measureHitsReads(fixture, report);
        measured.push(...(await measureHits(fixture, report, options.sqlRuns)));
      });
    }
    reportTogether(report, 'all readers', measured);
  } finally {
    await postgres?.close();
    duckDb.close();
  }
}

interface Context extends PartContext {
  postgres: PostgresContender | undefined;
  labels: number;
}

/** Loads records with this number of distinct labels into all engines, then runs the selected parts. */
async function measure({ options, report, folder, server, postgres, labels }: Context): Promise<void> {
  const name = `${formatCount(labels)} labels`;
  const labelSet = labelSetOf(labels);
  console.log(`${name}: generating ${formatCount(options.records)} records`);
  const records = await generateRecords({
    count: options.records,
    batchSize,
    labelSet,
    toBatch: (batch) => Buffer.from(writeBody(batch)),
  });
  const dataset = await server.createDataset(`Benchmark, ${name}`, labelSet);
  console.log(`${name}: loading`);
  const load = await bulkLoad(server, dataset, records);

  const copy = join(folder, `chdb-${labels}`);
  const parts = await copyRecords(server, dataset.id, copy);
  report.note(
    `${name}: ${formatCount(records.count)} records of ${(records.bytes / records.count).toFixed(0)} bytes, ${parts} parts.`,
  );
  const chdb = startChdb(options.pace);
  try {
    await chdb.open(copy);
    const ids = await chdb.labelIds(dataset.id);
    const fixture: BenchFixture = {
      options,
      folder,
      name,
      report,
      labelSet,
      records,
      batchSize,
      server,
      dataset,
      load,
      chdb,
      postgres,
      visible: visibleIds(labelSet, ids),
      everyLabel: [...ids.values()],
    };
    for (const [part, measurePart] of fixtureParts) {
      if (!options.parts.has(part)) continue;
      console.log(`part ${part}, ${name}`);
      await measurePart(fixture);
    }
  } finally {
    await chdb.stop();
    await rm(copy, { recursive: true });
  }
}
