import { Type, type Static } from 'typebox';
import { nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { FileOptions } from './file-options.ts';

/** The maximum number of rows of a preview. */
export const maxPreviewRows = 50;
/** The maximum bytes of a file to preview. Of a larger file, the client sends only the beginning. */
export const maxPreviewBytes = 64 * 1024 * 1024;

export const PreviewRow = strictObject(
  {
    line: Type.Integer({
      minimum: 0,
      description: 'The line where it begins, counted from 1; 0 without lines.',
    }),
    outcome: Type.Enum(['stored', 'replaced', 'dropped', 'rejected'], {
      description:
        'replaced: stored with the replacement label. dropped: left out by the label handling policy. rejected: left out because it is at fault.',
    }),
    record: nullable(Type.String({ description: 'The record as JSON text; null where there is none.' })),
    label: nullable(
      Type.String({
        description: 'The label that it would get, empty for none; null where it is not stored.',
      }),
    ),
    reason: nullable(Type.String({ description: 'Why it is rejected.' })),
    text: nullable(Type.String({ description: 'The beginning of a rejected row.' })),
  },
  { title: 'PreviewRow' },
);
export type PreviewRow = Static<typeof PreviewRow>;

export const UploadPreview = strictObject(
  {
    format: Type.String({ description: 'Such as csv or json.' }),
    encoding: nullable(Type.String({ description: 'Of text files.' })),
    dialect: nullable(
      strictObject({
        delimiter: Type.String(),
        quote: Type.String(),
        escape: Type.String(),
        header: Type.Boolean(),
        newline: Type.String(),
      }),
    ),
    columns: nullable(
      Type.Array(strictObject({ name: Type.String(), type: Type.String() }), {
        description: 'The columns as they would be stored; null where each record has keys of its own.',
      }),
    ),
    sourceColumns: nullable(
      Type.Array(Type.String(), {
        description: 'All columns of the file, by the names that fileOptions.columns takes.',
      }),
    ),
    fileOptions: FileOptions,
    rows: Type.Array(PreviewRow),
    error: nullable(Type.String({ description: 'Why the file cannot be read further; null where it can.' })),
  },
  { title: 'UploadPreview', description: 'What an upload of a file would come to.' },
);
export type UploadPreview = Static<typeof UploadPreview>;

const PreviewParts = strictObject({
  files: Type.Array(Type.String({ format: 'binary' }), { description: 'One file, or its beginning.' }),
  accessControlLabel: Type.Optional(Type.String({ description: 'As for POST /uploads.' })),
  fileOptions: Type.Optional(Type.String({ description: 'As for POST /uploads.' })),
  isPartial: Type.Optional(
    Type.String({ description: '"true" where the file is the beginning of a longer one.' }),
  ),
  processAsDocument: Type.Optional(
    Type.String({
      description:
        '"true": the rows are the first pages of a document. The file is sent whole. Text in images is not recognised, and records have no document_id.',
    }),
  ),
});

export const uploadPreviewRoutes = {
  previewUpload: defineRoute({
    method: 'POST',
    path: '/uploads/preview',
    operationId: 'previewUpload',
    tag: 'Ingest',
    summary: 'Preview an upload',
    description: `Reads the beginning of a file as POST /uploads would and returns the first ${String(maxPreviewRows)} rows with the label that each would get. fileOptions of the response says how the file was read: send it, perhaps changed, with POST /uploads, and the files are read in the same way. It stores nothing and creates no attribute. A file may have ${String(maxPreviewBytes / 1024 / 1024)} MB; of a longer one, send the beginning with isPartial.`,
    caller: 'member',
    body: PreviewParts,
    bodyType: 'multipart/form-data',
    rawBody: true,
    staysOpen: true,
    success: { status: 200, description: 'The preview.', schema: UploadPreview },
    errors: ['AuthError', 'ForbiddenError', 'FileParseError', 'SecurityError'],
  }),
} as const;
