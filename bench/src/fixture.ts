import type { Chdb } from './chdb/chdb.ts';
import type { GeneratedRecords } from './data/records.ts';
import type { LabelSet } from './data/label-sets.ts';
import type { Options } from './options.ts';
import type { LoadRun } from './ours/bulk-load.ts';
import type { Dataset, BenchServer } from './ours/bench-server.ts';
import type { PostgresContender } from './postgres/postgres.ts';
import type { Report } from './report/report.ts';

/** The input of parts that load their own records. */
export interface PartContext {
  options: Options;
  report: Report;
  /** A folder for files that another process reads. */
  folder: string;
  server: BenchServer;
}

/** The input of the other parts: all contenders, loaded with the same records. */
export interface BenchFixture extends PartContext {
  /** The name of this fixture in result rows, such as "6 labels". */
  name: string;
  labelSet: LabelSet;
  /** The bodies of bulk writes. */
  records: GeneratedRecords<Buffer>;
  /** Number of records in each body. */
  batchSize: number;
  dataset: Dataset;
  /** The measurement of writing `records` into `dataset`. */
  load: LoadRun;
  /** The bare engine, with a copy of the server's folder after the load. */
  chdb: Chdb;
  /** The label ids visible to the reader of about half the labels. */
  visible: readonly number[];
  everyLabel: readonly number[];
  postgres: PostgresContender | undefined;
}
