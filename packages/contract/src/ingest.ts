import { Type, type Static } from 'typebox';
import { BooleanParameter, IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { FileOptions } from './file-options.ts';
import { Job } from './jobs.ts';
import { ColumnSecurityLabels, SecurityLabelInfo } from './security-labels.ts';

/** The kinds of sources that the specification names. */
export const sourceTypes = ['URL', 'JDBC', 'S3', 'KAFKA', 'OTHER'] as const;

/** The maximum number of files of one request. */
export const maxIngestFiles = 100;

/** An address to fetch a file from. */
export const UrlSource = strictObject(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'An http or https address without a user name. It is stored encrypted and not returned.',
    }),
    headers: Type.Optional(
      nullable(
        Type.Record(Type.String(), Type.String({ maxLength: 8000 }), {
          description:
            'Headers of the request, such as Authorization. They are stored encrypted, never returned, and not sent to another host after a redirect.',
        }),
      ),
    ),
  },
  { title: 'UrlSource' },
);
export type UrlSource = Static<typeof UrlSource>;

export const DataSourceParams = strictObject(
  {
    type: Type.Enum([...sourceTypes], {
      description:
        'URL fetches files by http and https, S3 reads the objects of a bucket, JDBC reads a table or statement of a database, KAFKA reads the messages of topics. OTHER reads another system by a connector that the operator of the server has added; a server without connectors answers 501.',
    }),
    connectionInfo: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'For URL: `{urls: [{url, headers?}], processWithOcr?, changedSinceJob?}`, with up to 100 addresses. changedSinceJob is the id of an earlier ingest job that you started for this dataset: files that have not changed since it stored them, by what their host says, are not fetched again. processWithOcr: true means the same as processAsDocument: true. For JDBC: `{databaseType, host, port?, database, username, password?, tls?, schema?, table | query, incremental?, changedSinceJob?}` with the databaseType postgresql, mysql or mssql (which takes no query). For the first two, incremental is `{column, key, overlapSeconds?, overlapCount?}`: a job with changedSinceJob reads only rows whose column has grown since that job. For S3: `{endpoint?, region, bucket, prefix?, pattern?, pathStyle?, accessKeyId?, secretAccessKey?, sessionToken?, changedSinceJob?}`. Without keys, requests are not signed. For KAFKA: `{bootstrapServers, topics, groupId?, format, registry?, sasl?, tls?, from?, until?, includeOffsets?}`, with the format json, text or avro. The job runs until it is canceled, or with until: "end" to the messages that are there when it starts; jobs with the same groupId continue each other. For OTHER: `{connector, stream, config?, secrets?, incremental?, changedSinceJob?}`: the connector gets config and secrets, and reads the stream; with incremental: true and changedSinceJob it reads what came after that job. Connections are stored encrypted and never returned; the starter sees in the job the host, and the bucket with prefix and pattern, the database with schema and table, the topics, or the connector and its stream.',
      }),
    ),
    connectionId: Type.Optional(IdParam),
  },
  { title: 'DataSourceParams' },
);
export type DataSourceParams = Static<typeof DataSourceParams>;

const labelProperties = {
  securityLabeled: Type.Optional(
    nullable(
      Type.Boolean({
        description: 'true: securityLabelInfo says how. Absent or false: the records get no label.',
      }),
    ),
  ),
  securityLabelInfo: Type.Optional(nullable(SecurityLabelInfo)),
};

/** How the rows of files get their labels. */
export const AccessControlLabel = strictObject(labelProperties, { title: 'AccessControlLabel' });
export type AccessControlLabel = Static<typeof AccessControlLabel>;

export const WriteMode = Type.Enum(['append', 'replace', 'upsert'], {
  description:
    'append (the default) adds a record for each row. replace puts the rows in the place of all records that are visible to you, at once when all files are read. upsert replaces the visible record with the same key columns, or adds one. replace and upsert need read as well as write. Records that are hidden from you stay as they are.',
});

export const KeyColumns = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
  minItems: 1,
  maxItems: 16,
  description:
    'For writeMode upsert: the fields by which a row finds its record, by the names that they are stored under.',
});

export const OcrLanguages = Type.Array(
  Type.String({ pattern: '^[a-z]{3}(_[A-Za-z]{1,10}){0,3}$', maxLength: 40 }),
  {
    minItems: 1,
    maxItems: 5,
    uniqueItems: true,
    description:
      'Only with processAsDocument: the languages of the text that is recognised in images, by their names in Tesseract, such as `["deu", "eng"]`. They must be installed on the server. Without it, the setting OCR_LANGUAGES applies.',
  },
);

/** The properties that all requests share which store the rows of files. */
export const ingestOptionProperties = {
  ...labelProperties,
  fileOptions: Type.Optional(FileOptions),
  writeMode: Type.Optional(WriteMode),
  keyColumns: Type.Optional(KeyColumns),
  columnSecurityLabelInfo: Type.Optional(nullable(ColumnSecurityLabels)),
  processAsDocument: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          'true: a record for each page of a file, with the text that it has or that is recognised in it. Only the parser `apply-label-to-all-records-parser` is possible, since pages have no label field. Not for databases.',
      }),
    ),
  ),
  ocrLanguages: Type.Optional(nullable(OcrLanguages)),
  customMetadata: Type.Optional(
    nullable(
      Type.String({
        maxLength: 1_048_576,
        description:
          'Only with processAsDocument: a JSON object in text, as in POST /uploads. Its members become fields of each record.',
      }),
    ),
  ),
};

export const IngestRequest = strictObject(
  {
    workspaceId: Type.Optional(nullable(IdParam)),
    datasetId: IdParam,
    ...ingestOptionProperties,
    dataSourceParams: DataSourceParams,
  },
  {
    title: 'IngestRequest',
    examples: [
      {
        datasetId: '0198a5b2-0000-4000-8000-000000000001',
        securityLabeled: true,
        securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'REGION:EU' },
        dataSourceParams: {
          type: 'URL',
          connectionInfo: { urls: [{ url: 'https://example.org/airports.csv' }] },
        },
      },
    ],
  },
);
export type IngestRequest = Static<typeof IngestRequest>;

export const IngestOptions = strictObject(
  {
    connectors: Type.Array(Type.String(), {
      description: 'The names of the connectors, for sources of the type OTHER.',
    }),
    ocrLanguages: Type.Array(Type.String(), {
      description: 'The languages whose text can be recognised in images, as codes of Tesseract such as deu.',
    }),
    defaultOcrLanguages: Type.Array(Type.String(), {
      description: 'The languages that are recognised where a request names none.',
    }),
  },
  { title: 'IngestOptions', description: 'What the server offers for bringing in data.' },
);
export type IngestOptions = Static<typeof IngestOptions>;

/** The server reads these files from a source. `uploadRoutes` takes files that the client sends. */
export const ingestRoutes = {
  getIngestOptions: defineRoute({
    method: 'GET',
    path: '/ingest/options',
    operationId: 'getIngestOptions',
    tag: 'Ingest',
    summary: 'Get the connectors and languages of this server',
    description:
      'Returns what the operator has set up for bringing in data: connectors, and the languages of text recognition.',
    caller: 'member',
    success: { status: 200, description: 'The options.', schema: IngestOptions },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  startIngest: defineRoute({
    method: 'POST',
    path: '/ingest',
    operationId: 'startIngest',
    tag: 'Ingest',
    summary: 'Bring in files from a source',
    description:
      'Starts a job that reads files from addresses or a bucket, or rows of a database, and stores their rows as records. Without isAsync the response waits up to five seconds for the end of the job; it is 202 with the job either way.',
    caller: 'member',
    query: strictObject({ isAsync: BooleanParameter('Do not wait for the end of the job.') }),
    body: IngestRequest,
    success: { status: 202, description: 'The job.', schema: Job },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'NotImplementedError', 'SecurityError'],
  }),
} as const;
