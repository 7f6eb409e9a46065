import { sourcesText as texts } from '../../text/sources.ts';
import type { SourceFieldName, SourceValues } from './source-kinds.ts';

const maxServers = 20;
const maxTopics = 100;
const server = /^(?:\[[^\]]+\]|[^:[\]\s]+):(\d{1,5})$/;
const topicName = /^[A-Za-z0-9._-]{1,249}$/;
const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

const entriesOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const isServer = (entry: string): boolean => {
  const port = Number(server.exec(entry)?.[1]);
  return port >= 1 && port <= 65_535;
};

const serversProblem = (text: string): string | undefined => {
  const entries = entriesOf(text, /[\n,]/);
  if (entries.length > maxServers) return texts.tooMany(maxServers);
  const wrong = entries.find((entry) => !isServer(entry));
  return wrong === undefined ? undefined : texts.serverForm(wrong);
};

const topicsProblem = (text: string): string | undefined => {
  const entries = entriesOf(text, /\n/);
  if (entries.length > maxTopics) return texts.tooMany(maxTopics);
  const wrong = entries.find((entry) => !topicName.test(entry));
  if (wrong !== undefined) return texts.topicForm(wrong);
  const repeated = entries.find((entry, at) => entries.indexOf(entry) !== at);
  return repeated === undefined ? undefined : texts.topicTwice(repeated);
};

const isBeginning = (text: string): boolean =>
  ['', 'earliest', 'latest'].includes(text) || (isoTime.test(text) && Date.parse(text) >= 0);

/** The checks of fields, by the text without spaces around it. */
const checks: Partial<Record<SourceFieldName, (text: string, values: SourceValues) => string | undefined>> = {
  bootstrapServers: serversProblem,
  topics: topicsProblem,
  from: (text) => (isBeginning(text) ? undefined : texts.beginningForm),
  registryUsername: (text, { registryPassword = '' }) =>
    text === '' && registryPassword !== '' ? texts.userAndPassword : undefined,
  registryPassword: (text, { registryUsername = '' }) =>
    text === '' && registryUsername.trim() !== '' ? texts.userAndPassword : undefined,
};

/** What is wrong with a field of topics, or undefined. The server checks the rest. */
export const topicProblem = (name: SourceFieldName, values: SourceValues): string | undefined =>
  checks[name]?.((values[name] ?? '').trim(), values);

/** What is wrong with the registry for the chosen format, which a stored connection does not know. */
export const registryProblem = ({ format, registryUrl = '' }: SourceValues): string | undefined => {
  if (format === 'avro') return registryUrl.trim() === '' ? texts.avroNeedsRegistry : undefined;
  return registryUrl.trim() === '' ? undefined : texts.registryNeedsAvro;
};
