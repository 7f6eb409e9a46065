export type { AuditLink, ChainedEvent } from './audit/audit-rows.ts';
export type { AuditSearch, AuditStore, FoundEvent } from './audit/audit-store.ts';
export { openChdbEngine, type EmbeddedEngine } from './engine/chdb-engine.ts';
export { openClickhouseEngine, type ClickhouseOptions } from './engine/clickhouse-engine.ts';
export { neededRights } from './engine/clickhouse-rights.ts';
export type { PoolOptions } from './engine/chdb-pool.ts';
export type { Engine, EngineLane, InsertRequest, QueryOptions, StatementOptions } from './engine/engine.ts';
export { EngineFault, EngineOpenError } from './engine/engine-errors.ts';
export { duplicateKey } from './intake/internal-keys.ts';
export type { ParsedWrite } from './intake/intake.ts';
export {
  defaultIntakeLimits,
  maxLabels,
  maxNesting,
  maxRecords,
  type IntakeLimits,
} from './intake/intake-limits.ts';
export type { BodyShape } from './intake/parse-write-body.ts';
export type { TableFormat } from './formats/table-format.ts';
export type { KnownPath } from './intake/path-book.ts';
export type { ChangeRequest, Changing, ClearRequest } from './store/change-records.ts';
export type { Which } from './store/choose-records.ts';
export type { DatasetCatalog } from './store/dataset-catalog.ts';
export { isPage } from './store/read-records.ts';
export type {
  ReadRequest,
  RecordStream,
  SearchRequest,
  SequenceRequest,
  SqlReading,
  SqlSource,
} from './store/read-records.ts';
export type { TableRead, TableReading } from './store/read-tables.ts';
export { createRecordStore, type RecordStore, type RecordStoreDeps } from './store/record-store.ts';
export type { RowProgress } from './store/row-stream.ts';
export type { RecordSchema, SchemaOptions } from './store/schema.ts';
export type { Split, Splitting } from './store/splits.ts';
export type { WantedIndexes } from './store/field-indexes.ts';
export type { Summary, SummarySource } from './store/summaries.ts';
export { defaultStoreLimits, type StoreLimits } from './store/store-limits.ts';
export type { PreparedWrite, PrepareRequest, WriteRequest } from './store/write-records.ts';
