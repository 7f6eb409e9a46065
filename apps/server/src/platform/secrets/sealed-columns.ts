/**
 * A column with encrypted texts. A feature that stores secrets adds its column to the list below, so that a key
 * rotation includes them. `key` is the column whose value is the row key of `sealedLocation`.
 */
export interface SealedColumn {
  table: string;
  column: string;
  key: string;
}

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'audit_chains', column: 'sealed', key: 'workspace_uid' },
  { table: 'connections', column: 'sealed_info', key: 'id' },
  { table: 'ingest_files', column: 'sealed_source', key: 'id' },
  { table: 'ingest_files', column: 'sealed_version', key: 'id' },
  { table: 'uploads', column: 'sealed_source', key: 'id' },
  { table: 'identity_providers', column: 'secret', key: 'id' },
  { table: 'schedules', column: 'sealed_request', key: 'id' },
];
