import { Type, type Static } from 'typebox';
import { idParams, IdParam, nullable, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { Job } from './jobs.ts';

export const maxReplayedRows = 1000;

const Records = (of: string) =>
  Type.Integer({ minimum: 0, description: `How many records of ${of} the caller sees now.` });

/** The files that a list of uploads contains for each. */
export const maxListedFiles = 100;

export const Upload = strictObject(
  {
    id: Uuid,
    datasetId: Uuid,
    jobId: Type.String({ description: 'The job that stores the rows.' }),
    createdAt: Timestamp,
    files: Type.Array(
      strictObject({
        id: Uuid,
        name: Type.String({ description: 'The name of the file.' }),
        size: nullable(
          Type.Integer({
            minimum: 0,
            description:
              'Bytes; null for everybody but the person who brought the file in, and before it has been fetched.',
          }),
        ),
        recordCount: Records('the file'),
      }),
      {
        description: `For the person who brought them in all files; for others those of which they see records. At most ${String(maxListedFiles)} of them: GET /jobs/{id}/receipt has all.`,
      },
    ),
    fileCount: Type.Integer({ minimum: 0, description: 'How many files there are.' }),
    recordCount: Records('the upload'),
  },
  { title: 'Upload', description: 'Files that came in together.' },
);
export type Upload = Static<typeof Upload>;

export const RejectedRowReplay = strictObject(
  {
    rows: Type.Array(
      strictObject({
        id: { ...IdParam, description: 'The id of the rejected row: `id` of GET /rejected-rows.' },
        text: Type.String({
          minLength: 2,
          maxLength: 1_000_000,
          description: 'The mended row as a JSON object with the fields of the record.',
        }),
      }),
      { minItems: 1, maxItems: maxReplayedRows, description: 'Each row once.' },
    ),
  },
  {
    title: 'RejectedRowReplay',
    examples: [
      {
        rows: [
          { id: '0198a5b2-0000-4000-8000-000000000001/7', text: '{"ident":"EDDB","region":"REGION:EU"}' },
        ],
      },
    ],
  },
);
export type RejectedRowReplay = Static<typeof RejectedRowReplay>;

const tag = 'Ingest';

/** Calls about uploads after their files have arrived: list them, delete their records, store corrected rows. */
export const uploadFileRoutes = {
  listUploads: defineRoute({
    method: 'GET',
    path: '/uploads',
    operationId: 'listUploads',
    tag,
    summary: 'List uploads',
    description:
      'A page of the uploads of a dataset: those that the caller made, and those of which they see at least one record.',
    caller: 'member',
    query: strictObject({ datasetId: { ...IdParam, description: 'The dataset. Required.' } }),
    list: { entity: Upload, filters: ['id', 'jobId', 'createdAt'] },
    success: { status: 200, description: 'A page of uploads.', schema: toPageSchema(Upload) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  deleteUpload: defineRoute({
    method: 'DELETE',
    path: '/uploads/{id}',
    operationId: 'deleteUpload',
    tag,
    summary: 'Delete the records of an upload',
    description:
      'Starts a job that deletes the records of the upload that the caller sees. If the caller made the upload, it also leaves their lists, with its rejected rows. The stored files are deleted with the last of their records.',
    caller: 'member',
    params: idParams('The id of the upload.'),
    success: { status: 202, description: 'The job.', schema: Job },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  replayRejectedRows: defineRoute({
    method: 'POST',
    path: '/jobs/{id}/rejected-rows/replay',
    operationId: 'replayRejectedRows',
    tag,
    summary: 'Store mended rows',
    description:
      'Starts an ingest job that stores rows which this job rejected, as the caller mended them. They are labelled by the rule of the upload; a row whose label was decided already must keep it. Each rejected row can be replayed once: a second request for it is 409 and names the job of the first. A row that is rejected again is a rejected row of the new job.',
    caller: 'member',
    params: idParams('The id of the ingest job that rejected the rows.'),
    body: RejectedRowReplay,
    success: { status: 202, description: 'The job that stores the rows.', schema: Job },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'SecurityError'],
  }),
} as const;
