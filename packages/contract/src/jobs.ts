import { Type, type Static } from 'typebox';
import { IdParam, idParams, nullable, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const JobType = Type.Enum(
  ['ingest', 'reindex', 'clear-dataset', 'delete-record', 'delete-document', 'relabel-record'],
  {
    description:
      'What the job does. relabel-record changes the labels of records (PATCH /storage/datasets/{datasetId}/labels). The calls for the other types have their names. The generated Python client (User-Agent OpenAPI-Generator/…/python) gets reindex instead of relabel-record, since it knows no sixth type.',
  },
);
export type JobType = Static<typeof JobType>;

export const JobStatus = Type.Enum(['queued', 'running', 'completed', 'canceled', 'failed'], {
  description:
    'The state of the job. A canceled or failed job has changed nothing, unless its error says so.',
});
export type JobStatus = Static<typeof JobStatus>;

const forStarter = 'Only for the person who started the job; null for others.';
const Config = nullable(
  Type.Record(Type.String(), Type.Unknown(), { description: `The parameters of the job. ${forStarter}` }),
);
export const JobError = strictObject(
  {
    name: nullable(
      Type.String({
        description:
          'A name of the error catalogue, as in error responses. Null for a canceled job, and where the name was not stored.',
      }),
    ),
    message: Type.String({ description: 'What went wrong, or what a canceled job had done.' }),
    code: nullable(
      Type.Integer({ description: 'The HTTP status that belongs to the name; null where the name is.' }),
    ),
  },
  { title: 'JobError', description: `Why a job or segment did not complete. ${forStarter}` },
);
export type JobError = Static<typeof JobError>;

/** A job list filters by the message of the error, although the entity contains an object. */
const errorFilter = { error: nullable(Type.String()) };

export const Job = strictObject(
  {
    id: Uuid,
    type: JobType,
    status: JobStatus,
    config: Config,
    error: nullable(JobError),
    stage: nullable(
      Type.Integer({ minimum: 0, description: `How many of totalStages are done. ${forStarter}` }),
    ),
    totalStages: nullable(
      Type.Integer({ minimum: 1, description: `How many stages there are. ${forStarter}` }),
    ),
    progress: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: `The progress in percent. ${forStarter}`,
      }),
    ),
    recordCount: nullable(
      Type.Integer({
        minimum: 0,
        description: `How many records the job covers: those that were visible to the person who started it when it selected them. Null before that, and for jobs that select no records. ${forStarter}`,
      }),
    ),
    datasetId: Uuid,
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    userId: Type.String({
      description:
        'The id of the person who started it. The job runs with the rights that they have while it runs.',
    }),
    createdAt: Timestamp,
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
  },
  { title: 'Job', description: 'Work that continues after the response.' },
);
export type Job = Static<typeof Job>;

export const Segment = strictObject(
  {
    id: Uuid,
    number: Type.Integer({
      minimum: 0,
      description: 'Its place among the segments of the job, counted from 0.',
    }),
    config: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `Which part of the job it is; empty if it is the whole job. ${forStarter}`,
      }),
    ),
    stage: nullable(Type.Integer({ minimum: 0, description: `How many stages are done. ${forStarter}` })),
    status: JobStatus,
    error: nullable(JobError),
    datasetId: Uuid,
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    jobId: Uuid,
    processedBy: nullable(
      Type.String({ description: `The worker that claimed it last; null before the first. ${forStarter}` }),
    ),
    uploadId: nullable(
      Type.String({ description: `The id of the upload that it reads, if any. ${forStarter}` }),
    ),
    bytesRead: nullable(
      Type.Integer({ minimum: 0, description: 'The bytes of its file that are read; null without a file.' }),
    ),
    bytesTotal: nullable(
      Type.Integer({ minimum: 0, description: 'The bytes of its file; null without a file.' }),
    ),
    recordCount: nullable(
      Type.Integer({ minimum: 0, description: 'The records that it has stored; null without a file.' }),
    ),
  },
  { title: 'Segment', description: 'A part of a job.' },
);
export type Segment = Static<typeof Segment>;

export const JobCreate = strictObject(
  {
    type: JobType,
    datasetId: IdParam,
    config: Type.Optional(
      nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            'The body of the call for this type: recordIds (and deleteAll) or query for delete-record, query for delete-document, the body of /ingest without its ids for ingest, nothing for clear-dataset and reindex.',
        }),
      ),
    ),
  },
  {
    title: 'JobCreate',
    examples: [
      {
        type: 'delete-record',
        datasetId: '0198a5b2-0000-4000-8000-000000000001',
        config: { query: 'status:void' },
      },
    ],
  },
);
export type JobCreate = Static<typeof JobCreate>;

export const JobPatch = strictObject(
  {
    status: Type.Enum(['canceled', 'queued'], {
      description: 'canceled cancels the job; queued retries it.',
    }),
  },
  { title: 'JobPatch' },
);
export type JobPatch = Static<typeof JobPatch>;

const datasetQuery = strictObject({
  datasetId: { ...IdParam, description: 'The id of the dataset. Required.' },
});
const jobQuery = strictObject({
  datasetId: Type.Optional({
    ...IdParam,
    description: 'The id of the dataset. Required, unless userId is your own id.',
  }),
});
const params = idParams('The id of the job.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const jobRoutes = {
  listJobs: defineRoute({
    method: 'GET',
    path: '/jobs',
    operationId: 'listJobs',
    tag: 'Jobs',
    summary: 'List jobs',
    description:
      'Returns a page of the jobs of one dataset: all of them if you may manage the dataset, otherwise those that you started. Without a dataset, send your own id as userId: then you get the jobs that you started on any dataset.',
    caller: 'member',
    query: jobQuery,
    list: {
      entity: Job,
      filters: [
        'id',
        'type',
        'status',
        'stage',
        'totalStages',
        'progress',
        'recordCount',
        'workspaceId',
        'userId',
        'createdAt',
        'startedAt',
        'endedAt',
      ],
      extraFilters: errorFilter,
    },
    success: { status: 200, description: 'A page of jobs.', schema: toPageSchema(Job) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createJob: defineRoute({
    method: 'POST',
    path: '/jobs',
    operationId: 'createJob',
    tag: 'Jobs',
    summary: 'Start a job',
    description:
      'Does the same as the call for this type. Start relabel-record with PATCH /storage/datasets/{datasetId}/labels.',
    caller: 'member',
    body: JobCreate,
    success: { status: 202, description: 'The queued job.', schema: Job },
    errors: [...errors, 'LuceneParseError', 'MissingIndexError', 'NotImplementedError'],
  }),
  getJob: defineRoute({
    method: 'GET',
    path: '/jobs/{id}',
    operationId: 'getJob',
    tag: 'Jobs',
    summary: 'Get a job',
    description: 'Returns one job.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The job.', schema: Job },
    errors,
  }),
  patchJob: defineRoute({
    method: 'PATCH',
    path: '/jobs/{id}',
    operationId: 'patchJob',
    tag: 'Jobs',
    summary: 'Cancel or retry a job',
    description:
      'canceled stops a queued or running job and returns its final state: a job that already made its change is completed. queued starts a canceled or failed job again from the beginning.',
    caller: 'member',
    params,
    body: JobPatch,
    success: { status: 200, description: 'The job.', schema: Job },
    errors,
  }),
  listSegments: defineRoute({
    method: 'GET',
    path: '/segments',
    operationId: 'listSegments',
    tag: 'Segments',
    summary: 'List the segments of a dataset',
    description: 'A page of the parts of the jobs of one dataset, of one job with jobId.',
    caller: 'member',
    query: datasetQuery,
    list: {
      entity: Segment,
      filters: ['id', 'number', 'stage', 'status', 'workspaceId', 'jobId', 'processedBy', 'uploadId'],
      extraFilters: errorFilter,
    },
    success: { status: 200, description: 'A page of segments.', schema: toPageSchema(Segment) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  getSegment: defineRoute({
    method: 'GET',
    path: '/segments/{id}',
    operationId: 'getSegment',
    tag: 'Segments',
    summary: 'Get a segment',
    description: 'One segment by its id.',
    caller: 'member',
    params: idParams('The id of the segment.'),
    success: { status: 200, description: 'The segment.', schema: Segment },
    errors,
  }),
} as const;
