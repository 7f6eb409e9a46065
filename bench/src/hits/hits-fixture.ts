import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Chdb } from '../chdb/chdb.ts';
import { startChdb } from '../chdb/chdb.ts';
import { copyRecords } from '../chdb/copy-records.ts';
import { bulkLoad, writeBody } from '../ours/bulk-load.ts';
import type { Dataset, BenchServer } from '../ours/bench-server.ts';
import type { PostgresHits } from '../postgres/hits.ts';
import type { DuckDb } from './duckdb.ts';
import { hitsLabelsOf, visibleTiers, shares, type HitsLabels, type VisibleShare } from './hits-labels.ts';
import { batchesOf, hitsRecords } from './hits-records.ts';

/** A reader, as each engine knows them. */
export interface HitsReader {
  readonly share: VisibleShare;
  /** For Redoubt. */
  readonly token: string;
  /** For the other engines: the ids of the visible labels. */
  readonly labelIds: readonly number[];
}

/** The same hits in all engines, and their readers. */
export interface HitsFixture {
  readonly records: number;
  readonly labels: HitsLabels;
  readonly dataset: Dataset;
  readonly readers: readonly HitsReader[];
  readonly server: BenchServer;
  readonly chdb: Chdb;
  readonly duckDb: DuckDb;
  readonly postgres: PostgresHits | undefined;
}

export interface HitsEngines {
  readonly folder: string;
  readonly server: BenchServer;
  readonly duckDb: DuckDb;
  readonly postgres: PostgresHits | undefined;
}

const execute = promisify(execFile);

/** The maximum number of new labels in one write. */
const batchSize = 10_000;

/** Loads hits with labels into every engine, calls `use`, and removes them. */
export async function withHits(
  { folder, server, duckDb, postgres }: HitsEngines,
  wanted: { records: number; labels: number },
  use: (fixture: HitsFixture) => Promise<void>,
): Promise<void> {
  const labels = hitsLabelsOf(wanted.labels);
  const dataset = await server.createDataset(`Hits, ${String(wanted.labels)} labels`, {
    attributes: labels.attributes,
    held: labels.held.tenth,
  });
  const tokens: Record<VisibleShare, string> = {
    all: dataset.all,
    tenth: dataset.half,
    trace: await server.createReader(dataset, labels.held.trace),
  };
  const batches = batchesOf(hitsRecords(wanted.records, labels), batchSize, (records) =>
    Buffer.from(writeBody(records)),
  );
  await bulkLoad(server, dataset, { batches });

  const copy = join(folder, `hits-${String(wanted.labels)}`);
  await copyRecords(server, dataset.id, copy);
  const chdb = startChdb(server.pace);
  try {
    await chdb.open(copy);
    const ids = await chdb.labelIds(dataset.id);
    const visibleIds = (share: VisibleShare): number[] =>
      visibleTiers(share).flatMap((tier) =>
        labels.tiers[tier].flatMap((label) => {
          const id = ids.get(label);
          return id === undefined ? [] : [id];
        }),
      );
    await loadOthers({ folder, duckDb, postgres }, chdb, dataset.id);
    // The system still writes gigabytes to disk after loading, which takes CPU time. Wait for it.
    await execute('sync');
    await Promise.all([server.waitUntilIdle(), chdb.waitUntilIdle()]);
    await use({
      records: wanted.records,
      labels,
      dataset,
      readers: shares.map((share) => ({ share, token: tokens[share], labelIds: visibleIds(share) })),
      server,
      chdb,
      duckDb,
      postgres,
    });
  } finally {
    await chdb.stop();
    await rm(copy, { recursive: true });
    await server.deleteDataset(dataset.id);
  }
}

async function loadOthers(
  { folder, duckDb, postgres }: Omit<HitsEngines, 'server'>,
  chdb: Chdb,
  datasetId: string,
): Promise<void> {
  const file = join(folder, 'hits-file');
  await chdb.writeFile(datasetId, file);
  await duckDb.load(file);
  await postgres?.load(file);
  await rm(file);
}
