import { Type, type Static } from 'typebox';
import { idParams, IdParam, nullable, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { maxIngestFiles } from './ingest.ts';
import { describePart, maxOpenUploads, maxUnnamedPartBytes } from './upload-parts.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const UploadResult = strictObject(
  {
    uploadId: Uuid,
    jobId: Type.String({ description: 'The job that stores the rows: GET /jobs/{id}.' }),
    files: Type.Array(
      strictObject({
        id: Uuid,
        name: Type.String({ description: 'The name of the file as it was sent.' }),
        size: Count('Bytes.'),
      }),
    ),
  },
  { title: 'UploadResult', description: 'Files that were received and are durable.' },
);
export type UploadResult = Static<typeof UploadResult>;

/** The parts of an upload. All except the files are text. */
const UploadParts = strictObject({
  datasetId: Type.String({ description: 'The id of the dataset. Send it before the files.' }),
  files: Type.Array(Type.String({ format: 'binary' }), {
    description: `One to ${String(maxIngestFiles)} files.`,
  }),
  accessControlLabel: Type.Optional(
    Type.String({
      description: describePart(
        'accessControlLabel',
        'JSON: `{"securityLabeled": true, "securityLabelInfo": {…}}`. Absent, or with `securityLabeled: false`, the records get no label.',
      ),
    }),
  ),
  fileOptions: Type.Optional(
    Type.String({
      description: describePart(
        'fileOptions',
        'JSON: `{format?, encoding?, delimiter?, quote?, header?, columns?}`, how all files of the upload are read. The response of POST /uploads/preview has one.',
      ),
    }),
  ),
  writeMode: Type.Optional(
    Type.String({
      description: describePart(
        'writeMode',
        '"append" (the default), "replace" (of all visible records, at once when all files are read) or "upsert" (of visible records with the same key columns).',
      ),
    }),
  ),
  keyColumns: Type.Optional(
    Type.String({
      description: describePart('keyColumns', 'JSON, for upsert: the names of fields, such as `["id"]`.'),
    }),
  ),
  columnSecurityLabelInfo: Type.Optional(
    Type.String({
      description: describePart(
        'columnSecurityLabelInfo',
        'JSON: `{"<column>": {"securityLabel": "A&B"}}`. Adds labels to columns of the dataset before any row is stored, as in /v2/write. Needs manage.',
      ),
    }),
  ),
  customMetadata: Type.Optional(
    Type.String({
      description: describePart(
        'customMetadata',
        'A JSON object, which is kept with the upload. Its members become fields of document records.',
      ),
    }),
  ),
  ocrLanguages: Type.Optional(
    Type.String({
      description: describePart(
        'ocrLanguages',
        'JSON, only with processAsDocument: the languages of the text that is recognised in images, such as `["deu", "eng"]`.',
      ),
    }),
  ),
  processAsDocument: Type.Optional(
    Type.String({
      description: describePart(
        'processAsDocument',
        '"true" stores each file as a document, with a record for each page: `document_id`, `file_name`, `page`, `text` and the fields of customMetadata. "false" is the default.',
      ),
    }),
  ),
});

/** The files of a receipt that one response contains. */
const maxReceiptFiles = 1000;

const forStarter = 'null for everybody but the person who started the job.';

export const FileReceipt = strictObject(
  {
    id: Uuid,
    name: Type.String({
      description:
        'The name of the file. Of a fetched file, others than the starter see the name that its host sent with it, or a number.',
    }),
    status: nullable(Type.String({ description: `The state of its segment; ${forStarter}` })),
    error: nullable(Type.String({ description: `Why it failed; ${forStarter}` })),
    size: nullable(Count(`Bytes; ${forStarter}`)),
    sha256: nullable(Type.String({ description: `SHA-256 of the file, hexadecimal; ${forStarter}` })),
    containers: nullable(
      Type.Array(Type.String(), {
        description: `What the file is wrapped in, outermost first, such as zip or gzip; null before it is read; ${forStarter}`,
      }),
    ),
    received: nullable(Count(`Rows read: written + rejected + dropped + duplicate; ${forStarter}`)),
    written: Count('Rows stored as records; for everybody but the starter the records that they see now.'),
    rejected: nullable(Count(`Rows left out because they are at fault; ${forStarter}`)),
    dropped: nullable(Count(`Rows left out by the label handling policy; ${forStarter}`)),
    duplicate: nullable(Count(`Rows that an earlier run of this job stored; ${forStarter}`)),
    replaced: nullable(
      Count(`Rows of an upsert that replaced a visible record, among those written; ${forStarter}`),
    ),
    isUnchanged: nullable(
      Type.Boolean({
        description: `Whether its host said that it is the same as in the job of changedSinceJob, so that nothing was fetched and stored; ${forStarter}`,
      }),
    ),
    replayed: nullable(Count(`Rejected rows that were mended and sent again, to another job; ${forStarter}`)),
  },
  { title: 'FileReceipt' },
);
export type FileReceipt = Static<typeof FileReceipt>;

export const JobReceipt = strictObject(
  {
    jobId: Uuid,
    datasetId: Uuid,
    uploadId: nullable(Type.String({ description: `The upload; ${forStarter}` })),
    files: Type.Array(FileReceipt, { description: 'The files of this page, in their order.' }),
    fileCount: Count('How many files there are on all pages.'),
    written: Count('The sum over the files.'),
    received: nullable(Count(`The sum over the files; ${forStarter}`)),
    rejected: nullable(Count(`The sum over the files; ${forStarter}`)),
    dropped: nullable(Count(`The sum over the files; ${forStarter}`)),
    duplicate: nullable(Count(`The sum over the files; ${forStarter}`)),
    replaced: nullable(
      Count(`Visible records that were replaced: the sum over the files, or all of a replace; ${forStarter}`),
    ),
    replayed: nullable(Count(`The sum over the files; ${forStarter}`)),
  },
  { title: 'JobReceipt', description: 'What became of the rows of each file.' },
);
export type JobReceipt = Static<typeof JobReceipt>;

export const RejectedRow = strictObject(
  {
    id: Type.String({ description: 'The id of its file and its place in it.' }),
    jobId: Uuid,
    fileId: Uuid,
    row: Count('The place of the row in the file, counted from 0.'),
    line: Count('The line where it begins, counted from 1; 0 for formats without lines.'),
    offset: Count('The characters before it.'),
    file: nullable(
      Type.String({
        description:
          'The path of its file inside an archive, or the sheet of a workbook; null for other files.',
      }),
    ),
    reason: Type.String({ description: 'What is wrong with it.' }),
    text: Type.String({ description: 'The row; of a long one its first 10,000 characters.' }),
    replayJobId: nullable(
      Type.String({ description: 'The job to which the mended row was sent; null while it was not.' }),
    ),
  },
  { title: 'RejectedRow', description: 'A row that was not stored.' },
);
export type RejectedRow = Static<typeof RejectedRow>;

const params = idParams('The id of the job.');
const tag = 'Ingest';

/** The client sends these files. With `ingestRoutes`, the server fetches them from addresses. */
export const uploadRoutes = {
  createUpload: defineRoute({
    method: 'POST',
    path: '/uploads',
    operationId: 'createUpload',
    tag,
    summary: 'Upload files',
    description: `Receives files and starts a job that stores their rows as records. The response comes when all files are durable; nothing is read from them before the whole request has arrived, so a request that is cut stores nothing. Parts that are repeated, unknown, truncated or cannot be parsed are refused. datasetId comes before the files, and texts before it have at most ${String(maxUnnamedPartBytes)} bytes together. A person can have ${String(maxOpenUploads)} uploads and previews open at once; more is 429.`,
    caller: 'member',
    body: UploadParts,
    bodyType: 'multipart/form-data',
    rawBody: true,
    success: { status: 201, description: 'The files and the job.', schema: UploadResult },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'SecurityError'],
  }),
  getJobReceipt: defineRoute({
    method: 'GET',
    path: '/jobs/{id}/receipt',
    operationId: 'getJobReceipt',
    tag,
    summary: 'Get the receipt of an ingest job',
    description:
      'How many rows of each file were stored, rejected, dropped and already there. The starter sees all of it; other readers of the dataset see the files that records which they see now come from, with the number of these records. The sums are over all files, also those of other pages.',
    caller: 'member',
    params,
    query: strictObject({
      $limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxReceiptFiles,
          default: maxReceiptFiles,
          description: 'Files per page: 0 for only the sums.',
        }),
      ),
      $skip: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 0,
          description: 'Files to skip.',
        }),
      ),
    }),
    success: { status: 200, description: 'The receipt.', schema: JobReceipt },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  listRejectedRows: defineRoute({
    method: 'GET',
    path: '/rejected-rows',
    operationId: 'listRejectedRows',
    tag,
    summary: 'List rejected rows',
    description:
      'A page of the rows that ingest jobs of one dataset did not store, with the reason, out of the jobs that the caller started; of one job with jobId. They are kept for 30 days after the job was started, or as long as REJECTED_ROWS_DAYS says.',
    caller: 'member',
    query: strictObject({ datasetId: { ...IdParam, description: 'The dataset. Required.' } }),
    list: {
      entity: RejectedRow,
      filters: ['id', 'jobId', 'fileId', 'file', 'row', 'line', 'reason', 'replayJobId'],
    },
    success: { status: 200, description: 'A page of rows.', schema: toPageSchema(RejectedRow) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
} as const;
