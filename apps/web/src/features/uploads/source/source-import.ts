import type { DataSourceParams, FileOptions, IngestRequest } from '@redoubt/contract';
import { toConnectionInfo } from '../../../parts/sources/connection-info.ts';
import { sourceForms, type SourceKind, type SourceValues } from '../../../parts/sources/source-kinds.ts';
import { sourcesText as texts } from '../../../text/sources.ts';
import { noLabels, toAccessControlLabel, type LabelChoice } from '../label-choice.ts';

export type WriteMode = NonNullable<IngestRequest['writeMode']>;

/** All that a person has chosen for an import from a source. */
export interface SourceImport {
  readonly kind: SourceKind;
  readonly values: SourceValues;
  readonly choice: LabelChoice;
  readonly options: FileOptions;
  readonly writeMode: WriteMode;
  readonly keyColumns: readonly string[];
}

export const newSourceImport: SourceImport = {
  kind: 'URL',
  values: {},
  choice: noLabels,
  options: {},
  writeMode: 'append',
  keyColumns: [],
};

export const toDataSourceParams = ({
  kind,
  values,
}: Pick<SourceImport, 'kind' | 'values'>): DataSourceParams => ({
  type: sourceForms[kind].type,
  connectionInfo: toConnectionInfo(kind, values),
});

/** The request that starts the job. */
export const toIngestRequest = (datasetId: string, draft: SourceImport): IngestRequest => ({
  datasetId,
  dataSourceParams: toDataSourceParams(draft),
  ...toAccessControlLabel(draft.choice),
  ...(Object.keys(draft.options).length > 0 && { fileOptions: draft.options }),
  ...(draft.writeMode !== 'append' && { writeMode: draft.writeMode }),
  ...(draft.writeMode === 'upsert' && { keyColumns: [...draft.keyColumns] }),
});

/** Returns what is missing in the choice of how records are written, or undefined. */
export const writeProblem = ({
  writeMode,
  keyColumns,
}: Pick<SourceImport, 'keyColumns' | 'writeMode'>): string | undefined =>
  writeMode === 'upsert' && keyColumns.length === 0 ? texts.chooseKey : undefined;
