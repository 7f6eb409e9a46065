import { Type, type Static } from 'typebox';
import { IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { FileOptions } from './file-options.ts';
import { AccessControlLabel, DataSourceParams } from './ingest.ts';
import { maxPreviewBytes, maxPreviewRows, UploadPreview } from './upload-previews.ts';

/** The maximum number of files that a preview of a source names. */
export const maxPreviewSegments = 20;

export const SourcePreviewRequest = strictObject(
  {
    workspaceId: Type.Optional(nullable(IdParam)),
    datasetId: { ...IdParam, description: 'The dataset that the rows are meant for.' },
    ...AccessControlLabel.properties,
    fileOptions: Type.Optional(FileOptions),
    processAsDocument: Type.Optional(
      nullable(
        Type.Boolean({
          description:
            'true: the rows are the first pages of the first document. Text in images is not recognised, and records have no document_id.',
        }),
      ),
    ),
    dataSourceParams: DataSourceParams,
  },
  { title: 'SourcePreviewRequest', description: 'As for POST /ingest.' },
);
export type SourcePreviewRequest = Static<typeof SourcePreviewRequest>;

export const SourcePreview = strictObject(
  {
    ...UploadPreview.properties,
    files: Type.Array(Type.String(), {
      description: `The names of the first ${String(maxPreviewSegments)} files of the source. The rows are those of the first one.`,
    }),
    hasMoreFiles: Type.Boolean({ description: 'Whether the source has more files than these.' }),
  },
  { title: 'SourcePreview', description: 'What an ingest from a source would come to.' },
);
export type SourcePreview = Static<typeof SourcePreview>;

export const sourcePreviewRoutes = {
  previewIngest: defineRoute({
    method: 'POST',
    path: '/ingest/preview',
    operationId: 'previewIngest',
    tag: 'Ingest',
    summary: 'Preview an ingest from a source',
    description: `Reads the beginning of the first file of a source as POST /ingest would, and returns the first ${String(maxPreviewRows)} rows with the label that each would get, and the names of the first files. It starts no job, stores nothing and creates no attribute. With processAsDocument, the rows are pages; if the first document cannot be read, error says why. Documents and formats that cannot be read from their beginning, such as Parquet and Excel, have a preview up to ${String(maxPreviewBytes / 1024 / 1024)} MB.`,
    caller: 'member',
    body: SourcePreviewRequest,
    success: { status: 200, description: 'The preview.', schema: SourcePreview },
    errors: [
      'AuthError',
      'DatasourceError',
      'FileParseError',
      'ForbiddenError',
      'NotFoundError',
      'NotImplementedError',
      'SecurityError',
    ],
  }),
} as const;
