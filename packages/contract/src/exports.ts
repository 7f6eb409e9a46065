import { Type, type Static } from 'typebox';
import { nullable, strictObject, Timestamp } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

/** How many seconds the address of an export is valid. */
export const exportSeconds = 60;

export const ExportFormat = Type.Enum(['csv', 'spreadsheet', 'lines', 'parquet', 'arrow'], {
  description:
    'csv keeps every value exactly. spreadsheet is CSV whose texts that a spreadsheet would run as formulas (beginning with = + - @, a tab or a return) begin with an apostrophe; inside a text, one comes before = + - @ after a semicolon, tab or line break, because there a spreadsheet may begin another cell. lines has a JSON object on each line.',
});
export type ExportFormat = Static<typeof ExportFormat>;

const fileName = Type.Optional(
  nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The name of the file without its ending; export if absent.',
    }),
  ),
);

export const ExportCreate = strictObject(
  {
    operation: Type.Enum(['query', 'queryLucene', 'readRows'], {
      description: 'The call whose rows are exported.',
    }),
    body: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The body of that call. With limit -1 all rows are exported. For readRows it is a RowsExport, and all rows are exported.',
    }),
    format: ExportFormat,
    fileName,
  },
  {
    title: 'ExportCreate',
    examples: [
      {
        operation: 'query',
        body: { expression: 'SELECT name, type FROM navaids', limit: -1 },
        format: 'csv',
        fileName: 'Beacons',
      },
      {
        operation: 'readRows',
        body: {
          datasetId: '3fae8d4c-38a1-4bb6-8b4b-5b5d2fd0ee5c',
          lucene: 'name:london',
          filters: [{ field: 'type', operator: 'is', values: ['VOR'] }],
          sort: [{ field: 'elevation_ft', direction: 'descending' }],
        },
        format: 'csv',
        fileName: 'Beacons of London',
      },
    ],
  },
);
export type ExportCreate = Static<typeof ExportCreate>;

export const Export = strictObject(
  {
    path: Type.String({ description: 'The address of the file on this server. It works once.' }),
    expiresAt: Timestamp,
  },
  { title: 'Export' },
);
export type Export = Static<typeof Export>;

const queryErrors = ['NotFoundError', 'LuceneParseError', 'MissingIndexError', 'SqlParseError'] as const;

/** An export takes two calls, because a browser downloads files only by GET requests without a body and own headers. */
export const exportRoutes = {
  createExport: defineRoute({
    method: 'POST',
    path: '/exports',
    operationId: 'createExport',
    staysOpen: true,
    tag: 'Exports',
    summary: 'Prepare a download',
    description:
      'Returns the address of a file with the rows of a query. The address works once, for 60 seconds, and only with the session of this request. The query runs when the file is downloaded, with your rights at that time.',
    caller: 'member',
    bearer: true,
    body: ExportCreate,
    success: { status: 201, description: 'The address.', schema: Export },
    errors: ['AuthError', 'ForbiddenError', ...queryErrors],
  }),
  downloadExport: defineRoute({
    method: 'GET',
    path: '/exports/{token}',
    operationId: 'downloadExport',
    runsQuery: true,
    tag: 'Exports',
    summary: 'Download a file',
    description:
      'Sends the file of an address from POST /exports. An address that was used, has expired or belongs to another session is 404. If the connection ends before the last chunk, the file is incomplete: browsers mark such a download as failed.',
    caller: 'member',
    bearer: true,
    sessionHeader: 'optional',
    params: strictObject({
      token: Type.String({ minLength: 1, maxLength: 200, description: 'The end of the address.' }),
    }),
    success: {
      status: 200,
      description: 'The file.',
      schema: Type.String(),
      mediaType: 'application/octet-stream',
      streamed: true,
    },
    errors: ['AuthError', 'ForbiddenError', 'QueryError', 'TableNotFoundError', ...queryErrors],
  }),
} as const;
