/**
 * Every column that holds sealed texts. A feature that seals adds a line here, so that its rows are sealed anew when the key
 * is changed: `key` is the column whose value stands in `sealedLocation(table, column, …)`.
 */
export interface SealedColumn {
  table: string;
  column: string;
  key: string;
}

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'audit_chains', column: 'sealed', key: 'workspace_uid' },
  { table: 'ingest_files', column: 'sealed_source', key: 'id' },
  { table: 'identity_providers', column: 'secret', key: 'id' },
];
