import { Type, type Static } from 'typebox';
import { idParams, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { maxHighlightedRecords, RecordHighlights } from './highlights.ts';
import { DataRecord } from './records.ts';

export const maxRowsPerPage = 500;
/** The maximum characters of a value in a cell; longer values are truncated. */
export const maxCellCharacters = 500;
/** The maximum bytes of the cells of a page. */
export const maxPageBytes = 8_000_000;
export const maxProfiledFields = 20;
export const maxListedValues = 20;
/** The maximum number of visible records that profiles and values are computed from. */
export const profiledRecords = 100_000;
/** The maximum number of records of a view. A table with more records has none. */
export const maxViewRecords = 1_000_000;
/** Minutes that a view is kept after its last use. */
export const viewMinutes = 5;

const fieldName = Type.String({
  maxLength: 1000,
  description: 'A field, also inside an object: `outer.inner`.',
});

export const RowFilter = strictObject(
  {
    field: fieldName,
    operator: Type.Union(
      [
        Type.Literal('is'),
        Type.Literal('is-not'),
        Type.Literal('at-least'),
        Type.Literal('at-most'),
        Type.Literal('less-than'),
        Type.Literal('contains'),
      ],
      {
        description:
          '`is` keeps records with one of the values, `is-not` all others, `contains` those whose text contains one of them in any letter case. The others compare with the only value.',
      },
    ),
    values: Type.Array(nullable(Type.String({ maxLength: 1000 })), {
      minItems: 1,
      maxItems: 100,
      description:
        'Values as text, such as `"2.5"`, `"true"`, `"2024-05-01T12:00:00Z"`; null means that the record has no value in the field. A text that the type of the field does not have matches nothing.',
    }),
  },
  { title: 'RowFilter' },
);
export type RowFilter = Static<typeof RowFilter>;

export const RowSort = strictObject(
  {
    field: fieldName,
    direction: Type.Union([Type.Literal('ascending'), Type.Literal('descending')]),
  },
  { title: 'RowSort' },
);
export type RowSort = Static<typeof RowSort>;

/** Which records a call covers. All three calls take these properties. */
const selection = {
  lucene: Type.Optional(
    Type.String({ maxLength: 100_000, description: 'A Lucene expression, as in /query/lucene.' }),
  ),
  filters: Type.Optional(
    Type.Array(RowFilter, { maxItems: 50, description: 'Only records that satisfy all of them.' }),
  ),
};

const sort = Type.Optional(
  Type.Array(RowSort, {
    maxItems: 5,
    description:
      'Fields to sort by; records without a value come last, and equal ones are in the order of their ids.',
  }),
);

export const RowsRequest = strictObject(
  {
    ...selection,
    sort,
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 1000 }), {
        maxItems: 100,
        description: 'The fields to return, by the names of the schema; all if absent.',
      }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, default: 0 })),
    limit: Type.Integer({ minimum: 1, maximum: maxRowsPerPage, description: 'Rows to return.' }),
    highlight: Type.Optional(
      Type.Boolean({
        default: false,
        description: `If true, each row has highlights: the places of its record that the search in lucene matched. limit is then at most ${maxHighlightedRecords}.`,
      }),
    ),
    view: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The view of an earlier response with the same search, filters and sort: the rows are then those of that time. A view that is unknown, has expired or belongs to another session counts as absent.',
      }),
    ),
  },
  {
    title: 'RowsRequest',
    examples: [
      {
        filters: [{ field: 'type', operator: 'is', values: ['VOR'] }],
        sort: [{ field: 'elevation_ft', direction: 'descending' }],
        fields: ['name', 'elevation_ft'],
        limit: 3,
      },
    ],
  },
);
export type RowsRequest = Static<typeof RowsRequest>;

/** The rows of a table on a screen, as an export of all of them. */
export const RowsExport = strictObject(
  {
    datasetId: Type.String({ minLength: 1, maxLength: 200, description: 'The id of a dataset.' }),
    ...selection,
    sort,
  },
  { title: 'RowsExport' },
);
export type RowsExport = Static<typeof RowsExport>;

export const RowsPage = strictObject(
  {
    rows: Type.Array(
      nullable(
        strictObject(
          {
            id: Type.String({ description: 'The id of the record.' }),
            cells: DataRecord,
            cut: Type.Array(Type.String(), {
              description: `The fields whose value is longer than ${String(maxCellCharacters)} characters; the cell is its beginning. When the cells of a page have ${String(maxPageBytes)} bytes together, further values are null and named here, too.`,
            }),
            highlights: Type.Optional(RecordHighlights),
          },
          { title: 'Row' },
        ),
      ),
      { description: 'null stands for a record of the view that you no longer see.' },
    ),
    view: nullable(
      Type.String({
        description: `Send it for further pages. It is kept for ${String(viewMinutes)} minutes after its last use; null if more than ${String(maxViewRecords)} records match.`,
      }),
    ),
    stale: Type.Boolean({
      description:
        'Whether records that you see changed since the view was made. Ask without view to see them.',
    }),
    total: Type.Integer({ description: 'How many records the view has.' }),
  },
  { title: 'RowsPage' },
);
export type RowsPage = Static<typeof RowsPage>;

export const ProfilesRequest = strictObject(
  {
    ...selection,
    fields: Type.Array(fieldName, { minItems: 1, maxItems: maxProfiledFields }),
  },
  { title: 'ProfilesRequest', examples: [{ fields: ['type', 'elevation_ft'] }] },
);
export type ProfilesRequest = Static<typeof ProfilesRequest>;

const count = Type.Integer({ minimum: 0 });

export const ListedValue = strictObject(
  {
    value: Type.String({ description: 'The value as text.' }),
    count,
    isCut: Type.Boolean({
      description: `Whether the value is longer than ${String(maxCellCharacters)} characters; value is its beginning.`,
    }),
  },
  { title: 'ListedValue' },
);

const sampleProperties = {
  records: Type.Integer({ description: 'How many records were counted.' }),
  isSample: Type.Boolean({
    description: `Whether more records match than were counted: then they are the first ${String(profiledRecords)}.`,
  }),
};

export const FieldProfile = strictObject(
  {
    field: Type.String(),
    type: nullable(
      Type.String({ description: 'The type in the schema; null if no record that you see has the field.' }),
    ),
    missing: Type.Integer({ description: 'How many records have null or no value.' }),
    distinct: Type.Integer({ description: 'How many different values there are.' }),
    min: nullable(Type.String()),
    max: nullable(Type.String()),
    histogram: nullable(
      Type.Array(
        strictObject({
          from: Type.String({ description: 'The least value, for the operator at-least.' }),
          below: Type.String({ description: 'The first value beyond, for the operator less-than.' }),
          count,
        }),
        { description: 'For numbers and timestamps: up to 20 ranges of equal width.' },
      ),
    ),
    top: nullable(
      Type.Array(ListedValue, { description: 'For other types: the most frequent values, at most 10.' }),
    ),
  },
  { title: 'FieldProfile' },
);
export type FieldProfile = Static<typeof FieldProfile>;

export const ProfilesResponse = strictObject(
  { ...sampleProperties, profiles: Type.Array(FieldProfile) },
  { title: 'Profiles' },
);
export type ProfilesResponse = Static<typeof ProfilesResponse>;

export const ValuesRequest = strictObject(
  {
    ...selection,
    field: fieldName,
    prefix: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only values that begin with it, in any letter case.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxListedValues, default: 10, description: 'Values to return.' }),
    ),
  },
  { title: 'ValuesRequest', examples: [{ field: 'type', limit: 5 }] },
);
export type ValuesRequest = Static<typeof ValuesRequest>;

export const ValuesResponse = strictObject(
  {
    ...sampleProperties,
    values: Type.Array(ListedValue, { description: 'The most frequent values, equal ones by their text.' }),
    missing: Type.Integer({ description: 'How many records have null or no value.' }),
    more: Type.Boolean({ description: 'Whether there are further values.' }),
  },
  { title: 'Values' },
);
export type ValuesResponse = Static<typeof ValuesResponse>;

const params = idParams('The id of a dataset.');
const errors = [
  'AuthError',
  'ForbiddenError',
  'NotFoundError',
  'LuceneParseError',
  'MissingIndexError',
  'QueryError',
] as const;

/** What a table on a screen needs: any part of the records, and charts and values for its filters. */
export const datasetRowRoutes = {
  readRows: defineRoute({
    method: 'POST',
    path: '/datasets/{id}/rows',
    operationId: 'readRows',
    runsQuery: true,
    tag: 'Query',
    summary: 'Read rows for a table on a screen',
    description:
      'Returns any part of the sorted and filtered records. The first response names a view, which keeps the order of the records for further pages while others write. What you may see is checked for each page. A field that you do not see behaves like one that no record has.',
    caller: 'member',
    params,
    body: RowsRequest,
    success: { status: 200, description: 'The rows.', schema: RowsPage, streamed: true },
    errors,
  }),
  profileFields: defineRoute({
    method: 'POST',
    path: '/datasets/{id}/profiles',
    operationId: 'profileFields',
    runsQuery: true,
    tag: 'Query',
    summary: 'Describe the values of fields',
    description: `Returns for each field how many values are missing and different, and a histogram or the most frequent values. Only records and columns that you see count; of more than ${String(profiledRecords)} records, the first ones in the order of their ids.`,
    caller: 'member',
    params,
    body: ProfilesRequest,
    success: {
      status: 200,
      description: 'The profiles in the order of the request.',
      schema: ProfilesResponse,
      streamed: true,
    },
    errors,
  }),
  listValues: defineRoute({
    method: 'POST',
    path: '/datasets/{id}/values',
    operationId: 'listValues',
    runsQuery: true,
    tag: 'Query',
    summary: 'List the values of a field',
    description: `Returns the most frequent values of a field with their counts. Only records and columns that you see count; of more than ${String(profiledRecords)} records, the first ones in the order of their ids.`,
    caller: 'member',
    params,
    body: ValuesRequest,
    success: { status: 200, description: 'The values.', schema: ValuesResponse, streamed: true },
    errors,
  }),
} as const;
