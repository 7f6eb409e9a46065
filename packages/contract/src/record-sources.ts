import { Type, type Static } from 'typebox';
import { idSchema, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

const forUploader = 'null for everybody but the person who brought the file in, and for records of no file.';
const Place = (description: string) =>
  nullable(Type.Integer({ minimum: 0, description: `${description}; ${forUploader}` }));

export const RecordSource = strictObject(
  {
    recordId: Type.String({ description: 'The id of the record.' }),
    fileId: nullable(Type.String({ description: 'The file; null for a record that comes from no file.' })),
    fileName: nullable(
      Type.String({
        description:
          'The name of the file. Of a fetched file, others than the person who brought it in see the name that its host sent with it, or a number.',
      }),
    ),
    jobId: nullable(Type.String({ description: 'The job that stored the record.' })),
    row: Place('The place of the row in the file, counted from 0'),
    line: Place('The line where the row begins, counted from 1; 0 for formats without lines'),
    offset: Place('The characters before the row'),
    batch: Place('The first row of the block with which the row was stored'),
  },
  { title: 'RecordSource', description: 'Where a record comes from.' },
);
export type RecordSource = Static<typeof RecordSource>;

export const recordSourceRoutes = {
  getRecordSource: defineRoute({
    method: 'GET',
    path: '/datasets/{datasetId}/records/{recordId}/source',
    operationId: 'getRecordSource',
    tag: 'Ingest',
    summary: 'Get the file that a record comes from',
    description:
      'The file and the job that a record comes from, and for the person who brought the file in also its row, line and offset. A record that was replaced or relabelled still comes from its file; a replaced one has no row, line and offset. A hidden record gets the same 404 as an absent one.',
    caller: 'member',
    params: strictObject({
      datasetId: idSchema('The id of the dataset.'),
      recordId: idSchema('The id of the record: its `_koverse_record_id`.'),
    }),
    success: { status: 200, description: 'The source.', schema: RecordSource },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
