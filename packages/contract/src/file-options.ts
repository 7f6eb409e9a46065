import { Type, type Static } from 'typebox';
import { strictObject } from './core/fields.ts';

/** The types that a request can give to a column of a file. */
export const fileColumnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'timestamp', 'json'] as const;

const ColumnName = (description: string) => Type.String({ minLength: 1, maxLength: 1000, description });

export const FileColumn = strictObject(
  {
    name: ColumnName('The name in the file, or the key at the top of its records.'),
    type: Type.Optional(
      Type.Enum([...fileColumnTypes], {
        description:
          'A value that is not of this type rejects its row; an empty one is null. date and timestamp are texts in ISO 8601, such as 2026-01-31 and 2026-01-31T08:00:00Z.',
      }),
    ),
    rename: Type.Optional(ColumnName('The name of the field in the records.')),
    skip: Type.Optional(Type.Boolean({ description: 'true: it is not stored.' })),
  },
  { title: 'FileColumn' },
);

/** How to read files. Absent options are detected from the content. */
export const FileOptions = strictObject(
  {
    format: Type.Optional(
      Type.String({ maxLength: 40, description: 'Of a text file, such as csv, tsv, json, ndjson, xml.' }),
    ),
    encoding: Type.Optional(
      Type.String({ maxLength: 40, description: 'Of a text file, such as utf-8 or windows-1252.' }),
    ),
    delimiter: Type.Optional(
      Type.String({ maxLength: 2, description: 'The character between two cells of a text table.' }),
    ),
    quote: Type.Optional(
      Type.String({ maxLength: 2, description: 'The character around cells; empty for none.' }),
    ),
    escape: Type.Optional(
      Type.String({
        maxLength: 2,
        description:
          'A backslash if it escapes quotes inside quoted cells, as in files of MySQL; empty if such quotes are only written twice.',
      }),
    ),
    header: Type.Optional(
      Type.Boolean({ description: 'Whether the first row of a table names its columns.' }),
    ),
    columns: Type.Optional(
      Type.Array(FileColumn, {
        maxItems: 10_000,
        description: 'Columns to type, rename or skip. The others are stored as they are.',
      }),
    ),
  },
  {
    title: 'FileOptions',
    description: 'How the files are read. What is absent is found out from the content of each file.',
    examples: [
      {
        encoding: 'windows-1252',
        delimiter: ';',
        header: true,
        columns: [
          { name: 'zip', type: 'text' },
          { name: 'Größe', rename: 'size', type: 'number' },
          { name: 'internal note', skip: true },
        ],
      },
    ],
  },
);
export type FileOptions = Static<typeof FileOptions>;
