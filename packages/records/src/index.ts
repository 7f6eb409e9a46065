export type { AuditChainPosition, ChainedEvent } from './audit/audit-rows.ts';
export type { AuditSearch, AuditStore, FoundEvent } from './audit/audit-store.ts';
export { openChdbEngine, type EmbeddedEngine } from './engine/chdb-engine.ts';
export { openClickhouseEngine, type ClickhouseOptions } from './engine/clickhouse-engine.ts';
export type { PoolOptions } from './engine/chdb-pool.ts';
export type { Engine, EngineLane, InsertRequest, QueryOptions, StatementOptions } from './engine/engine.ts';
export { EngineError, EngineOpenError } from './engine/engine-errors.ts';
export { createFairQueue, type FairQueue } from './fair-queue.ts';
export { freeMemory } from './intake/free-memory.ts';
export { duplicateKey } from './intake/internal-keys.ts';
export type { ParsedWrite } from './intake/intake.ts';
export {
  defaultIntakeLimits,
  maxLabels,
  maxNesting,
  maxRecords,
  type IntakeLimits,
} from './intake/intake-limits.ts';
export { randomBytesPerId } from './intake/record-ids.ts';
export type { WriteBodyFormat } from './intake/parse-write-body.ts';
export type { TableFormat } from './formats/table-format.ts';
export type { KnownPath } from './intake/path-registry.ts';
export type { ChangeRequest, RecordUpdates, ClearRequest } from './store/record-updates.ts';
export type { RecordSelector } from './store/record-selections.ts';
export { joinKey, type KeyedRecord } from './store/key-lookups.ts';
export { stagingSlots } from './store/staged-labels.ts';
export type { StoredProbe, StoredProbes } from './store/stored-probes.ts';
export type { DatasetCatalog } from './store/dataset-catalog.ts';
export { isPage } from './store/block-reads.ts';
export type {
  ReadRequest,
  RecordStream,
  SearchRequest,
  SequenceRequest,
  SqlRead,
  SqlSource,
} from './store/record-reads.ts';
export type { RecordPlace, RecordSources } from './store/record-sources.ts';
export { cutCells, type CutCells } from './columns/cut-cells.ts';
export { packedIdBytes, unpackIds, type DatasetStatement, type RecordViews } from './store/record-views.ts';
export type { FileReadRequest, FileReads } from './store/file-reads.ts';
export { createRecordStore, type RecordStore, type RecordStoreDeps } from './store/record-store.ts';
export type { RowStreamResult } from './store/row-stream.ts';
export type { DatasetFieldTypes, SchemaOptions } from './store/schema.ts';
export type { Split, SplitReads } from './store/splits.ts';
export type { RequestedIndexes } from './store/field-indexes.ts';
export type { Summary, SummarySource } from './store/summaries.ts';
export { defaultStoreLimits, type StoreLimits } from './store/store-limits.ts';
export type { CommitOptions, PreparedWrite, PrepareRequest } from './store/record-writes.ts';
