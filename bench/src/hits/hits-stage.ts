import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeBody } from '../bodies.ts';
import type { Chdb } from '../chdb/chdb.ts';
import { startChdb } from '../chdb/chdb.ts';
import { copyRecords } from '../chdb/copy-records.ts';
import { bulkLoad } from '../ours/bulk-load.ts';
import type { Dataset, BenchServer } from '../ours/bench-server.ts';
import type { PostgresHits } from '../postgres/hits.ts';
import type { DuckDb } from './duckdb.ts';
import { hitsLabelsOf, seenTiers, shares, type HitsLabels, type VisibleShare } from './hits-labels.ts';
import { batchesOf, hitsRecords } from './hits-records.ts';

/** One reader, in the words of each engine. */
export interface HitsReader {
  readonly share: VisibleShare;
  /** For our server. */
  readonly token: string;
  /** For the others: the ids of the labels that they see. */
  readonly labelIds: readonly number[];
}

/** The same hits in all engines, and those who ask for them. */
export interface HitsStage {
  readonly records: number;
  readonly labels: HitsLabels;
  readonly dataset: Dataset;
  readonly readers: readonly HitsReader[];
  readonly house: BenchServer;
  readonly chdb: Chdb;
  readonly duckDb: DuckDb;
  readonly postgres: PostgresHits | undefined;
}

export interface HitsEngines {
  readonly folder: string;
  readonly house: BenchServer;
  readonly duckDb: DuckDb;
  readonly postgres: PostgresHits | undefined;
}

const execute = promisify(execFile);

/** A write may bring no more different labels than this. */
const batchSize = 10_000;

/** Loads so many hits with so many labels into every engine, and hands them to `use`. */
export async function withHits(
  { folder, house, duckDb, postgres }: HitsEngines,
  wanted: { records: number; labels: number },
  use: (stage: HitsStage) => Promise<void>,
): Promise<void> {
  const labels = hitsLabelsOf(wanted.labels);
  const dataset = await house.createDataset(`Hits, ${String(wanted.labels)} labels`, {
    attributes: labels.attributes,
    held: labels.held.tenth,
  });
  const tokens: Record<VisibleShare, string> = {
    all: dataset.all,
    tenth: dataset.half,
    trace: await house.createReader(dataset, labels.held.trace),
  };
  const batches = batchesOf(hitsRecords(wanted.records, labels), batchSize, (records) =>
    Buffer.from(writeBody(records)),
  );
  await bulkLoad(house, dataset, { batches });

  const copy = join(folder, `hits-${String(wanted.labels)}`);
  await copyRecords(house, dataset.id, copy);
  const chdb = startChdb(house.pace);
  try {
    await chdb.open(copy);
    const ids = await chdb.labelIds(dataset.id);
    const idsSeen = (share: VisibleShare): number[] =>
      seenTiers(share).flatMap((tier) =>
        labels.tiers[tier].flatMap((label) => {
          const id = ids.get(label);
          return id === undefined ? [] : [id];
        }),
      );
    await loadOthers({ folder, duckDb, postgres }, chdb, dataset.id);
    // Loading leaves gigabytes to be written to the disk, which takes a part of both cores until it is done.
    await execute('sync');
    await Promise.all([house.waitUntilIdle(), chdb.waitUntilIdle()]);
    await use({
      records: wanted.records,
      labels,
      dataset,
      readers: shares.map((share) => ({ share, token: tokens[share], labelIds: idsSeen(share) })),
      house,
      chdb,
      duckDb,
      postgres,
    });
  } finally {
    await chdb.stop();
    await rm(copy, { recursive: true });
    await house.deleteDataset(dataset.id);
  }
}

async function loadOthers(
  { folder, duckDb, postgres }: Omit<HitsEngines, 'house'>,
  chdb: Chdb,
  datasetId: string,
): Promise<void> {
  const file = join(folder, 'hits-file');
  await chdb.writeFile(datasetId, file);
  await duckDb.load(file);
  await postgres?.load(file);
  await rm(file);
}
