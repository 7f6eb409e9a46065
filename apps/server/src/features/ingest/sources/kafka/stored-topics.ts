import type { ConnectionAllowed } from '@redoubt/contract';
import { describeValue, invalidField } from '@redoubt/errors';
import { topicName } from './topic-connection.ts';

/** The fields of connectionInfo that a stored connection to a cluster holds. */
export const topicFields = ['bootstrapServers', 'sasl', 'tls', 'registry'] as const;

/** @throws RedoubtError 400 for a topic that the connection does not allow */
export const requireAllowedTopics = (topics: readonly string[], allowed: ConnectionAllowed | null): void => {
  const other = topics.find((topic) => allowed !== null && allowed.topics?.includes(topic) !== true);
  if (other === undefined) return;
  throw invalidField({
    field: 'dataSourceParams.connectionInfo.topics',
    expected: 'topics that the connection allows',
    got: describeValue(other),
    advice: 'Name allowed ones, or ask a person who manages the connection.',
  });
};

/** @throws RedoubtError 400 for an entry that can name no topic */
export const requireTopicNames = (allowed: ConnectionAllowed | null): void => {
  for (const [index, name] of (allowed?.topics ?? []).entries()) {
    if (topicName.test(name)) continue;
    throw invalidField({
      field: `allowed.topics.${String(index)}`,
      expected: 'the name of a topic, of at most 249 letters, digits, ".", "_" and "-"',
      got: describeValue(name),
      advice: 'Name each topic; patterns are not supported.',
    });
  }
};

/** The fields of a request that a connection lacks, so that the rest of it can be checked like one. */
export const withRequest = (stored: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...stored,
  topics: ['any'],
  format: stored['registry'] === undefined ? 'json' : 'avro',
});
