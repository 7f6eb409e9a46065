import type { RecordStore } from '@redoubt/records';
import type { Audit } from '../../platform/audit/index.ts';
import type { RunningJob } from '../../platform/jobs/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { AfterWrite } from '../records/index.ts';
import type { BlockLedger } from './block-ledger.repository.ts';
import type { DocumentOfFile } from './document-rows.ts';
import type { PlacedDocument } from './inner-documents.ts';
import type { IngestOptions } from './ingest-options.ts';
import type { FileItem } from './parser/start-parser.ts';
import type { StoredConnections } from './sources/sources.ts';

/** A row from the parser. */
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
  /** The name of the file in messages. */
  fileName: string;
  options: IngestOptions;
  /** The tokens in labels of the job that its starter does not hold. */
  foreignTokens: Set<string>;
  items: AsyncIterable<FileItem>;
  /** The first row without a final outcome. */
  nextRow: number;
  /** Called with the format of the file and the archives and compressions around it. */
  opened(format: string, containers: readonly string[]): Promise<void>;
  /** For a document: makes records of its pages. */
  document?: DocumentOfFile | undefined;
  /** Stores the documents inside the file. */
  keepInner?: (documents: readonly PlacedDocument[]) => Promise<void>;
  /** The slot where rows wait until the job has read all files; null if rows become visible at once. */
  slot: number | null;
  progress(bytes: number): Promise<void>;
  /** Called with the number of stored records. */
  stored(records: number): Promise<void>;
}

export interface LoadFileDeps
  extends Pick<Runtime, 'clock' | 'random'>, Pick<StoredConnections, 'requireUse'> {
  access: Pick<DatasetAccess, 'requireCall'>;
  audit: Pick<Audit, 'log'>;
  held: Pick<HeldAttributes, 'ensureTokens' | 'heldTokens'>;
  ledger: BlockLedger;
  store: Pick<RecordStore, 'findByKeys' | 'parse' | 'prepareWrite' | 'visibleLabels'>;
  afterWrite: AfterWrite;
  /** Maximum number of attributes that one job can create. */
  maxAttributes: number;
  /** Number of rows of a block. */
  blockRows: number;
}
