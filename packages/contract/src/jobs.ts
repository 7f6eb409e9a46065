import { Type, type Static } from 'typebox';
import { IdParam, idParams, nullable, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

/** What a job does. */
export const JobType = Type.Enum(
  ['ingest', 'reindex', 'clear-dataset', 'delete-record', 'delete-document', 'relabel-record'],
  {
    description:
      'relabel-record changes the labels of records (PATCH /storage/datasets/{datasetId}/labels); the others have the calls of their names.',
  },
);
export type JobType = Static<typeof JobType>;

export const JobStatus = Type.Enum(['queued', 'running', 'completed', 'canceled', 'failed'], {
  description:
    'How far a job is. canceled and failed jobs have changed nothing that their error does not tell of.',
});
export type JobStatus = Static<typeof JobStatus>;

const forStarter = 'For whoever started the job; null for anybody else.';
const Config = nullable(
  Type.Record(Type.String(), Type.Unknown(), { description: `What the job was asked to do. ${forStarter}` }),
);
const ErrorText = nullable(
  Type.String({ description: `Why it failed, for people; null where it did not. ${forStarter}` }),
);

export const Job = strictObject(
  {
    id: Uuid,
    type: JobType,
    status: JobStatus,
    config: Config,
    error: ErrorText,
    stage: nullable(
      Type.Integer({ minimum: 0, description: `The stages that it has done, of totalStages. ${forStarter}` }),
    ),
    totalStages: nullable(
      Type.Integer({ minimum: 1, description: `How many stages there are. ${forStarter}` }),
    ),
    progress: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: `How much of it is done, in percent. ${forStarter}`,
      }),
    ),
    recordCount: nullable(
      Type.Integer({
        minimum: 0,
        description: `The records that it is about, as its starter saw them when it chose them; null until then, and for jobs that choose none. ${forStarter}`,
      }),
    ),
    datasetId: Uuid,
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    userId: Type.String({
      description: 'Who started it: it runs with the rights that they have when it runs.',
    }),
    createdAt: Timestamp,
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
  },
  { title: 'Job', description: 'Work that goes on after its call was answered.' },
);
export type Job = Static<typeof Job>;

export const Segment = strictObject(
  {
    id: Uuid,
    config: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `Which part of the job it is; empty where it is all of it. ${forStarter}`,
      }),
    ),
    stage: nullable(Type.Integer({ minimum: 0, description: `The stages that it has done. ${forStarter}` })),
    status: JobStatus,
    error: ErrorText,
    datasetId: Uuid,
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    jobId: Uuid,
    processedBy: nullable(
      Type.String({ description: `The worker that took it last; null before that. ${forStarter}` }),
    ),
    uploadId: nullable(Type.String({ description: `The upload that it reads, if any. ${forStarter}` })),
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
            'What the body of the call of that name would hold: nothing for clear-dataset and reindex, recordIds (and deleteAll) or query for delete-record, query for delete-document, the body of /ingest without its ids for ingest.',
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
  { status: Type.Enum(['canceled', 'queued'], { description: 'canceled stops it; queued tries it again.' }) },
  { title: 'JobPatch' },
);
export type JobPatch = Static<typeof JobPatch>;

const datasetQuery = strictObject({
  datasetId: { ...IdParam, description: 'The dataset. Required.' },
});
const params = idParams('The id of the job.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const jobRoutes = {
  listJobs: defineRoute({
    method: 'GET',
    path: '/jobs',
    operationId: 'listJobs',
    tag: 'Jobs',
    summary: 'List the jobs of a dataset',
    description:
      'A page of the jobs of one dataset: those that the caller started, and all of them for who may manage it.',
    caller: 'member',
    query: datasetQuery,
    list: {
      entity: Job,
      filters: [
        'id',
        'type',
        'status',
        'error',
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
      'Does what the call of that type does; relabel-record is started by PATCH /storage/datasets/{datasetId}/labels.',
    caller: 'member',
    body: JobCreate,
    success: { status: 202, description: 'The job, which is queued.', schema: Job },
    errors: [...errors, 'LuceneParseError', 'MissingIndexError', 'NotImplementedError'],
  }),
  getJob: defineRoute({
    method: 'GET',
    path: '/jobs/{id}',
    operationId: 'getJob',
    tag: 'Jobs',
    summary: 'Get a job',
    description: 'One job by its id.',
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
    summary: 'Cancel a job, or try it again',
    description:
      'canceled stops a queued or running job and answers it as it ended: one whose change was carried out already is completed all the same. queued tries a canceled or failed job again, from the beginning.',
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
      filters: ['id', 'stage', 'status', 'error', 'workspaceId', 'jobId', 'processedBy', 'uploadId'],
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
