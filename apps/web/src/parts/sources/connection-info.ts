import { RedoubtError } from '@redoubt/errors';
import { sourcesText as texts } from '../../text/sources.ts';
import {
  sourceForms,
  type SourceField,
  type SourceFieldName,
  type SourceKind,
  type SourceValues,
} from './source-kinds.ts';
import { registryProblem, topicProblem } from './topic-checks.ts';

export type SourceProblems = Readonly<Partial<Record<SourceFieldName, string>>>;

/** The lines of a text without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The names in a text, which commas separate. */
const namesOf = (text: string): string[] => linesOf(text.replaceAll(',', '\n'));

const header = /^([^:\s]+)\s*:\s*(.*)$/;

const textOf = (values: SourceValues, name: SourceFieldName): string => values[name] ?? '';

const isSent = (field: SourceField, values: SourceValues): boolean => field.appliesTo?.(values) ?? true;

/** The fields of a kind that apply to the values. */
export const fieldsOf = (
  kind: SourceKind,
  values: SourceValues,
): Readonly<Record<'choice' | 'connection', readonly SourceField[]>> => {
  const { connection, choice } = sourceForms[kind];
  const applying = (fields: readonly SourceField[]) => fields.filter((field) => isSent(field, values));
  return { connection: applying(connection), choice: applying(choice) };
};

/** The parts of the form of a source: how it is reached, and what is read. */
export type SourcePart = 'choice' | 'connection';

const bothParts: readonly SourcePart[] = ['connection', 'choice'];

/** What is missing or has a wrong form in these parts, by field. The server checks the rest. */
export const findProblems = (
  kind: SourceKind,
  values: SourceValues,
  parts: readonly SourcePart[] = bothParts,
): SourceProblems => {
  const applying = fieldsOf(kind, values);
  const problems: Partial<Record<SourceFieldName, string>> = {};
  for (const { name, input, isRequired } of parts.flatMap((part) => applying[part])) {
    const text = textOf(values, name).trim();
    const ofTopics = kind === 'KAFKA' ? topicProblem(name, values) : undefined;
    if (ofTopics !== undefined) problems[name] = ofTopics;
    else if (text === '') {
      if (isRequired === true)
        problems[name] = (input === 'choice' ? texts.notChosen : texts.missing)(texts.fields[name]);
    } else if (name === 'port' && !(/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535)) {
      problems[name] = texts.portRange;
    } else if ((name === 'overlapSeconds' || name === 'overlapCount') && !/^\d+$/.test(text)) {
      problems[name] = texts.wholeNumber;
    } else if (name === 'headers') {
      const wrong = linesOf(text).findIndex((line) => !header.test(line));
      if (wrong >= 0) problems[name] = texts.headerForm(String(wrong + 1));
    } else if ((name === 'config' || name === 'secrets') && jsonObjectOf(text) === undefined)
      problems[name] = texts.jsonForm;
  }
  const ofRegistry =
    kind === 'KAFKA' && parts.length === bothParts.length ? registryProblem(values) : undefined;
  return { ...problems, ...(ofRegistry !== undefined && { registryUrl: ofRegistry }) };
};

const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    linesOf(text).flatMap((line) => {
      const [, name, value] = header.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );

/** The object that a text holds as JSON; undefined if it holds something else. */
const jsonObjectOf = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** How a connector reaches its system, in the form of the API. */
const toConnectorInfo = ({
  connector = '',
  config = '',
  secrets = '',
}: SourceValues): Record<string, unknown> => ({
  connector: connector.trim(),
  ...(config.trim() !== '' && { config: jsonObjectOf(config) }),
  ...(secrets.trim() !== '' && { secrets: jsonObjectOf(secrets) }),
});

const tlsOf = (values: SourceValues): unknown => {
  if (values.tls === 'off') return false;
  return values.tls === 'authority' ? { ca: textOf(values, 'ca') } : true;
};

const registryOf = ({ registryUrl = '', registryUsername = '', registryPassword = '' }: SourceValues) => ({
  url: registryUrl.trim(),
  ...(registryUsername.trim() !== '' && { username: registryUsername.trim(), password: registryPassword }),
});

/** How a cluster of Kafka is reached, in the form of the API. */
const toClusterInfo = (values: SourceValues): Record<string, unknown> => {
  const { bootstrapServers = '', sasl = 'none', username = '', password = '', registryUrl = '' } = values;
  return {
    bootstrapServers: linesOf(bootstrapServers.replaceAll(',', '\n')),
    tls: tlsOf(values),
    ...(sasl !== 'none' && { sasl: { mechanism: sasl, username: username.trim(), password } }),
    ...(registryUrl.trim() !== '' && { registry: registryOf(values) }),
  };
};

/** Which messages are read, in the form of the API. */
const toTopicInfo = (values: SourceValues): Record<string, unknown> => {
  const { topics = '', format = 'json', until = 'end', from = '', groupId = '', includeOffsets } = values;
  return {
    topics: linesOf(topics),
    format,
    ...(until === 'end' && { until }),
    ...(from.trim() !== '' && { from: from.trim() }),
    ...(groupId.trim() !== '' && { groupId: groupId.trim() }),
    ...(includeOffsets === 'on' && { includeOffsets: true }),
  };
};

/** Fields that are not sent under their own name. */
const composed: ReadonlySet<SourceFieldName> = new Set([
  'urls',
  'headers',
  'tls',
  'ca',
  'reads',
  'port',
  'changes',
  'cursorColumn',
  'rowKey',
  'overlapSeconds',
  'overlapCount',
]);
/** Spaces around these may belong to the value. */
const verbatim: ReadonlySet<SourceFieldName> = new Set(['password', 'secretAccessKey', 'prefix', 'query']);

const plainOf = (fields: readonly SourceField[], values: SourceValues): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name }) => {
      const typed = textOf(values, name);
      const text = verbatim.has(name) ? typed : typed.trim();
      return composed.has(name) || text === '' ? [] : [[name, text]];
    }),
  );

/** The fixed part of a source in the form of the API: how it is reached. */
export const toStoredInfo = (kind: SourceKind, values: SourceValues): Record<string, unknown> => {
  if (kind === 'URL') {
    const headers = headersOf(textOf(values, 'headers'));
    return Object.keys(headers).length > 0 ? { headers } : {};
  }
  if (kind === 'KAFKA') return toClusterInfo(values);
  if (kind === 'OTHER') return toConnectorInfo(values);
  const info = plainOf(fieldsOf(kind, values).connection, values);
  if (kind === 'S3') return info;
  const port = textOf(values, 'port').trim();
  return { databaseType: kind, ...info, ...(port !== '' && { port: Number(port) }), tls: tlsOf(values) };
};

const overlapNames = ['overlapSeconds', 'overlapCount'] as const;

/** How a run finds what has changed, in the form of the API. */
const toChangesInfo = (kind: SourceKind, values: SourceValues): Record<string, unknown> => {
  if (values.changes !== 'changed') return {};
  if (kind === 'OTHER') return { incremental: true };
  const fields = new Set(fieldsOf(kind, values).choice.map(({ name }) => name));
  if (!fields.has('cursorColumn')) return {};
  const overlaps = overlapNames.flatMap((name) => {
    const text = textOf(values, name).trim();
    return fields.has(name) && text !== '' ? [[name, Number(text)]] : [];
  });
  return {
    incremental: {
      column: textOf(values, 'cursorColumn').trim(),
      key: namesOf(textOf(values, 'rowKey')),
      ...Object.fromEntries(overlaps),
    },
  };
};

/** What is read of a source, in the form of the API. It is sent alone with a stored connection. */
export const toReadInfo = (kind: SourceKind, values: SourceValues): Record<string, unknown> => {
  if (kind === 'URL') return { urls: linesOf(textOf(values, 'urls')).map((url) => ({ url })) };
  if (kind === 'KAFKA') return toTopicInfo(values);
  return { ...plainOf(fieldsOf(kind, values).choice, values), ...toChangesInfo(kind, values) };
};

/** A source without a stored connection, in the form of the API. */
export const toConnectionInfo = (kind: SourceKind, values: SourceValues): Record<string, unknown> => {
  const stored = toStoredInfo(kind, values);
  if (kind !== 'URL') return { ...stored, ...toReadInfo(kind, values) };
  return { urls: linesOf(textOf(values, 'urls')).map((url) => ({ url, ...stored })) };
};

const isFieldName = (name: string): name is SourceFieldName => name in texts.fields;

const sentence = (message: string): string => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`;

/** Where the form shows errors of properties that it composes of several fields. */
const composedOf: Readonly<Record<string, SourceFieldName>> = {
  registry: 'registryUrl',
  'registry.username': 'registryUsername',
  'registry.password': 'registryPassword',
  sasl: 'username',
  'sasl.password': 'password',
  'tls.ca': 'ca',
  incremental: 'cursorColumn',
  'incremental.key': 'rowKey',
  'incremental.overlapSeconds': 'overlapSeconds',
  'incremental.overlapCount': 'overlapCount',
};

/** The field of the form, and the line in it, for the path of a property of the request. */
const fieldOf = (path: string): { name: SourceFieldName | undefined; line: string } => {
  const [, first = '', line = '', part = ''] =
    /connectionInfo\.(\w+)(?:\.(\d+)(?:\.(\w+))?)?/.exec(path) ?? [];
  const [, whole = ''] = /connectionInfo\.(.*?)(?:\.\d+)?$/.exec(path) ?? [];
  const name = part === 'headers' ? part : (composedOf[whole] ?? composedOf[first] ?? first);
  return { name: isFieldName(name) ? name : undefined, line };
};

/** Whether an error is about fields of the form alone, so that what is wrong stands at them. */
export const isAtFields = (error: unknown): boolean => {
  if (!(error instanceof RedoubtError) || error.errors === undefined || error.errors.length === 0)
    return false;
  return error.errors.every(({ field }) => fieldOf(field).name !== undefined);
};

/** The problems of an error of the server that belong to fields of the form; empty if none does. */
export const problemsOf = (error: unknown): SourceProblems => {
  if (!(error instanceof RedoubtError)) return {};
  const problems: Partial<Record<SourceFieldName, string>> = {};
  for (const { field, message } of error.errors ?? []) {
    const { name, line } = fieldOf(field);
    if (name === undefined) continue;
    // The label of the field stands above, so its path is not repeated.
    const problem = message.startsWith(field) ? message.slice(field.length).replace(/^:?\s+/, '') : message;
    problems[name] ??=
      name === 'urls' && line !== ''
        ? texts.addressLine(String(Number(line) + 1), problem)
        : sentence(problem);
  }
  return problems;
};
