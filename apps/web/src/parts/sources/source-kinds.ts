import type { DataSourceParams } from '@redoubt/contract';
import { sourcesText } from '../../text/sources.ts';

export type SourceKind = keyof typeof sourcesText.kinds;
export type SourceFieldName = keyof typeof sourcesText.fields;

/** What a person typed, by field. A field without a text is left out of the request. */
export type SourceValues = Readonly<Partial<Record<SourceFieldName, string>>>;

export interface SourceField {
  readonly name: SourceFieldName;
  /** `lines`: several lines of text; `code`: several lines in a monospaced font. */
  readonly input: 'text' | 'secret' | 'number' | 'lines' | 'code' | 'choice';
  readonly isRequired?: true;
  /** Of a choice. The server names the choices of connectors. */
  readonly choices?: readonly { value: string; text: string }[];
  /** Whether the field is shown and sent, for the values of the others. */
  readonly appliesTo?: (values: SourceValues) => boolean;
  /** Narrower fields share a row on wide screens. */
  readonly isNarrow?: true;
}

interface SourceKindForm {
  readonly type: DataSourceParams['type'];
  readonly connection: readonly SourceField[];
  readonly choice: readonly SourceField[];
}

const readsQuery = ({ reads }: SourceValues): boolean => reads === 'query';

const tableFields: readonly SourceField[] = [
  { name: 'schema', input: 'text', isNarrow: true },
  { name: 'table', input: 'text', isRequired: true, isNarrow: true },
];

const tlsFields: readonly SourceField[] = [
  {
    name: 'tls',
    input: 'choice',
    choices: [
      { value: 'checked', text: sourcesText.tlsChecked },
      { value: 'authority', text: sourcesText.tlsAuthority },
      { value: 'off', text: sourcesText.tlsOff },
    ],
  },
  { name: 'ca', input: 'code', isRequired: true, appliesTo: ({ tls }) => tls === 'authority' },
];

const readsChanges = ({ changes }: SourceValues): boolean => changes === 'changed';

const changesField: SourceField = {
  name: 'changes',
  input: 'choice',
  choices: [
    { value: 'all', text: sourcesText.changesAll },
    { value: 'changed', text: sourcesText.changesOnly },
  ],
};

const changedRowFields: readonly SourceField[] = [
  changesField,
  { name: 'cursorColumn', input: 'text', isRequired: true, isNarrow: true, appliesTo: readsChanges },
  { name: 'rowKey', input: 'text', isRequired: true, isNarrow: true, appliesTo: readsChanges },
];
/** PostgreSQL tells which transactions are open, so nothing need be read again. */
const overlapFields: readonly SourceField[] = [
  { name: 'overlapSeconds', input: 'number', isNarrow: true, appliesTo: readsChanges },
  { name: 'overlapCount', input: 'number', isNarrow: true, appliesTo: readsChanges },
];

const databaseForm: SourceKindForm = {
  type: 'JDBC',
  connection: [
    { name: 'host', input: 'text', isRequired: true, isNarrow: true },
    { name: 'port', input: 'number', isNarrow: true },
    { name: 'database', input: 'text', isRequired: true },
    { name: 'username', input: 'text', isRequired: true, isNarrow: true },
    { name: 'password', input: 'secret', isNarrow: true },
    ...tlsFields,
  ],
  choice: [
    {
      name: 'reads',
      input: 'choice',
      choices: [
        { value: 'table', text: sourcesText.readsTable },
        { value: 'query', text: sourcesText.readsQuery },
      ],
    },
    ...tableFields.map((field) => ({ ...field, appliesTo: (values: SourceValues) => !readsQuery(values) })),
    { name: 'query', input: 'code', isRequired: true, appliesTo: readsQuery },
    ...changedRowFields,
  ],
};

const signsIn = ({ sasl = 'none' }: SourceValues): boolean => sasl !== 'none';
const hasRegistry = ({ registryUrl = '' }: SourceValues): boolean => registryUrl.trim() !== '';

const topicForm: SourceKindForm = {
  type: 'KAFKA',
  connection: [
    { name: 'bootstrapServers', input: 'lines', isRequired: true },
    ...tlsFields,
    {
      name: 'sasl',
      input: 'choice',
      choices: [
        { value: 'none', text: sourcesText.saslNone },
        ...['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'].map((value) => ({ value, text: value })),
      ],
    },
    { name: 'username', input: 'text', isRequired: true, isNarrow: true, appliesTo: signsIn },
    { name: 'password', input: 'secret', isNarrow: true, appliesTo: signsIn },
    { name: 'registryUrl', input: 'text' },
    { name: 'registryUsername', input: 'text', isNarrow: true, appliesTo: hasRegistry },
    { name: 'registryPassword', input: 'secret', isNarrow: true, appliesTo: hasRegistry },
  ],
  choice: [
    { name: 'topics', input: 'lines', isRequired: true },
    {
      name: 'format',
      input: 'choice',
      isNarrow: true,
      choices: [
        { value: 'json', text: sourcesText.formatJson },
        { value: 'text', text: sourcesText.formatText },
        { value: 'avro', text: sourcesText.formatAvro },
      ],
    },
    {
      name: 'until',
      input: 'choice',
      isNarrow: true,
      choices: [
        { value: 'end', text: sourcesText.untilEnd },
        { value: 'canceled', text: sourcesText.untilCanceled },
      ],
    },
    { name: 'from', input: 'text', isNarrow: true },
    { name: 'groupId', input: 'text', isNarrow: true },
    {
      name: 'includeOffsets',
      input: 'choice',
      choices: [
        { value: 'off', text: sourcesText.offsetsOff },
        { value: 'on', text: sourcesText.offsetsOn },
      ],
    },
  ],
};

/** The form of each kind of source. */
export const sourceForms: Readonly<Record<SourceKind, SourceKindForm>> = {
  URL: {
    type: 'URL',
    connection: [{ name: 'headers', input: 'lines' }],
    choice: [{ name: 'urls', input: 'lines', isRequired: true }],
  },
  S3: {
    type: 'S3',
    connection: [
      { name: 'endpoint', input: 'text', isNarrow: true },
      { name: 'region', input: 'text', isRequired: true, isNarrow: true },
      { name: 'bucket', input: 'text', isRequired: true },
      { name: 'accessKeyId', input: 'text', isNarrow: true },
      { name: 'secretAccessKey', input: 'secret', isNarrow: true },
      { name: 'sessionToken', input: 'secret' },
    ],
    choice: [
      { name: 'prefix', input: 'text', isNarrow: true },
      { name: 'pattern', input: 'text', isNarrow: true },
    ],
  },
  postgresql: databaseForm,
  mysql: { ...databaseForm, choice: [...databaseForm.choice, ...overlapFields] },
  // The server refuses statements for SQL Server, because it cannot keep them from writing.
  mssql: { ...databaseForm, choice: [...tableFields, ...changedRowFields, ...overlapFields] },
  KAFKA: topicForm,
  OTHER: {
    type: 'OTHER',
    connection: [
      { name: 'connector', input: 'choice', isRequired: true },
      { name: 'config', input: 'code' },
      { name: 'secrets', input: 'code' },
    ],
    choice: [{ name: 'stream', input: 'text', isRequired: true }, changesField],
  },
};

export const sourceKinds = Object.keys(sourceForms) as readonly SourceKind[];

/** The port that a database uses unless told otherwise. */
export const usualPorts: Partial<Record<SourceKind, string>> = {
  postgresql: '5432',
  mysql: '3306',
  mssql: '1433',
};

/** The kind of a stored connection; undefined for one that has no form here. */
export const kindOf = ({ type, target }: { type: string; target: object }): SourceKind | undefined => {
  const named = type !== 'JDBC' ? type : 'databaseType' in target ? target.databaseType : undefined;
  return sourceKinds.find((kind) => kind === named);
};
