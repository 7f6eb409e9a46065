import type { Chdb } from './chdb/chdb.ts';
import type { GeneratedRecords } from './data/records.ts';
import type { LabelSet } from './data/label-sets.ts';
import type { Options } from './options.ts';
import type { LoadRun } from './ours/bulk-load.ts';
import type { Dataset, BenchServer } from './ours/bench-server.ts';
import type { PostgresContender } from './postgres/postgres.ts';
import type { Report } from './report/report.ts';

/** Everything that the parts measure: the same records in all contenders. */
export interface Stage {
  options: Options;
  /** For files that another process reads. */
  folder: string;
  /** How the rows of this stage are called, such as "6 labels". */
  name: string;
  report: Report;
  labelSet: LabelSet;
  /** The bodies of bulk writes. */
  records: GeneratedRecords<Buffer>;
  /** Records in each of them. */
  batchSize: number;
  house: BenchServer;
  dataset: Dataset;
  /** How `records` were written into `dataset`. */
  load: LoadRun;
  /** The engine alone, with a copy of the server's folder as it was after the load. */
  chdb: Chdb;
  /** The label ids that the reader of about half the labels sees, and all there are. */
  visible: readonly number[];
  everyLabel: readonly number[];
  postgres: PostgresContender | undefined;
}
