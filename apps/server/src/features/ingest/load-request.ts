import type { RecordStore } from '@redoubt/records';
import type { Audit } from '../../platform/audit/index.ts';
import type { RunningJob } from '../../platform/jobs/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { AfterWrite } from '../records/index.ts';
import type { BlockLedger } from './block-ledger.repository.ts';
import type { IngestOptions } from './ingest-options.ts';
import type { ParserItem } from './parser/start-parser.ts';

/** A row as the parser gave it. */
export interface ParsedRow {
  row: number;
  line: number;
  offset: number;
  /** The path inside an archive, or the sheet. */
  file: string | undefined;
  json: Buffer;
}

export interface LoadRequest {
  job: Pick<RunningJob, 'actor' | 'datasetId' | 'id' | 'signal'>;
  fileId: string;
  /** For messages. */
  fileName: string;
  options: IngestOptions;
  /** Tokens that labels of the job name and that its starter does not hold. */
  foreignTokens: Set<string>;
  items: AsyncIterable<ParserItem>;
  /** The first row that is not settled. */
  nextRow: number;
  /** Told what the file is wrapped in. */
  opened(containers: readonly string[]): Promise<void>;
  /** Where the rows wait until all of the job are there; null: they are stored at once. */
  slot: number | null;
  progress(bytes: number): Promise<void>;
  /** Told how many records were stored. */
  stored(records: number): Promise<void>;
}

export interface LoadFileDeps extends Pick<Runtime, 'clock' | 'random'> {
  access: Pick<DatasetAccess, 'requireCall'>;
  audit: Pick<Audit, 'log'>;
  held: Pick<HeldAttributes, 'ensureTokens' | 'heldTokens'>;
  ledger: BlockLedger;
  store: Pick<RecordStore, 'findByKeys' | 'parse' | 'prepareWrite' | 'visibleLabels'>;
  afterWrite: AfterWrite;
  /** Attributes that one job may create. */
  maxAttributes: number;
  /** Rows of one block. */
  blockRows: number;
}
