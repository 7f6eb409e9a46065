import { wordsIndex } from '@redoubt/query';
import { recordColumnDefinitions } from '../store/record-table.ts';

/** The tables of the audit log, one set for all workspaces of a database. */
export const auditTables = {
  /** Events. The table has the columns of records and some more, so that events are searched like records. */
  events: 'audit_events',
  /** The chain positions of events that were removed after their retention. */
  removed: 'audit_removed',
  /** The paths of all events by number. */
  paths: 'audit_paths',
} as const;

/** The columns of an event that come before those of a record, in the order of the row. */
export const chainColumns: readonly string[] = [
  'workspace',
  'seq',
  'hash',
  'previous',
  'event',
  'user_id',
  'dataset_id',
  'time_ms',
  'labels',
  'counts',
];

const chain = `
  workspace String,
  seq UInt64,
  hash String,
  previous String`;

/** The columns and the sort order of each table. */
export const auditDefinitions = [
  {
    table: auditTables.events,
    columns: `${chain},
  event String CODEC(ZSTD(1)),
  user_id String,
  dataset_id String,
  time_ms Int64,
  labels Array(String),
  counts Array(UInt64),${recordColumnDefinitions('JSON')}`,
    index: `,
  ${wordsIndex}`,
    order: '(workspace, seq)',
  },
  { table: auditTables.removed, columns: chain, index: '', order: '(workspace, seq)' },
  {
    table: auditTables.paths,
    columns: `
  path_id UInt32,
  path String`,
    index: '',
    order: 'path_id',
  },
] as const;
