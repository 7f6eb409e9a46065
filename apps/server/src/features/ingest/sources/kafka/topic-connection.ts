import { strictObject } from '@redoubt/contract';
import { badField, describeValue, invalidField, notImplemented } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import { createValidator } from '../../../../platform/http/validation.ts';
import { findOutboundHostError, findOutboundUrlError } from '../../../../platform/outbound/index.ts';
import { saslMechanisms, type TopicConnection } from './topic-messages.ts';

const connection = 'dataSourceParams.connectionInfo';

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const KafkaConnection = strictObject({
  bootstrapServers: Type.Union([Text(4000), Type.Array(Text(300), { minItems: 1, maxItems: 20 })]),
  topics: Type.Array(Text(249), { minItems: 1, maxItems: 100 }),
  groupId: Type.Optional(Text(200)),
  format: Type.Enum(['json', 'text', 'avro']),
  registry: Type.Optional(
    strictObject({
      url: Text(2000),
      username: Type.Optional(Text(255)),
      password: Type.Optional(Type.String({ maxLength: 4000 })),
    }),
  ),
  sasl: Type.Optional(
    strictObject({ mechanism: Text(40), username: Text(255), password: Type.String({ maxLength: 4000 }) }),
  ),
  tls: Type.Optional(Type.Union([Type.Boolean(), strictObject({ ca: Text(200_000) })])),
  includeOffsets: Type.Optional(Type.Boolean()),
  from: Type.Optional(Text(40)),
  until: Type.Optional(Type.Enum(['end'])),
});
type KafkaConnection = Static<typeof KafkaConnection>;

const requireShape = createValidator(KafkaConnection, connection);

/** A name that a topic can have. */
export const topicName = /^[A-Za-z0-9._-]{1,249}$/;
const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

const readServers = (
  sent: KafkaConnection['bootstrapServers'],
  allowsPrivate: boolean,
): TopicConnection['servers'] =>
  (typeof sent === 'string' ? sent.split(',') : sent).map((server) => {
    const [, bracketed, plain, port = ''] =
      /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(server.trim()) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
      throw invalidField({
        field: `${connection}.bootstrapServers`,
        expected: 'hosts with ports, such as "kafka.example.org:9093"',
        got: describeValue(server),
        advice: 'Send one or more, in a list or separated by commas.',
      });
    }
    const problem = findOutboundHostError(host, allowsPrivate);
    if (problem !== undefined)
      throw badField(`${connection}.bootstrapServers`, `${problem}. Send another host.`);
    return { host, port: Number(port) };
  });

const readFrom = (from = 'earliest'): TopicConnection['from'] => {
  if (from === 'earliest' || from === 'latest') return from;
  const time = isoTime.test(from) ? Date.parse(from) : Number.NaN;
  if (!(time >= 0)) {
    throw invalidField({
      field: `${connection}.from`,
      expected: '"earliest", "latest" or a time such as "2026-01-31T08:00:00Z"',
      got: describeValue(from),
      advice: 'Send one of them, or leave it out to begin with the earliest message.',
    });
  }
  return time;
};

const readRegistry = (
  { registry, format }: KafkaConnection,
  allowsPrivate: boolean,
): TopicConnection['registry'] => {
  if ((registry === undefined) === (format === 'avro')) {
    throw badField(
      `${connection}.registry`,
      registry === undefined
        ? 'must be sent with the format avro: the schemas come from it. Send its url.'
        : 'must not be sent unless the format is avro. Leave it out.',
    );
  }
  if (registry === undefined) return undefined;
  const problem = findOutboundUrlError(registry.url, allowsPrivate, true);
  if (problem !== undefined)
    throw badField(`${connection}.registry.url`, `${problem}. Send another address.`);
  if ((registry.username === undefined) !== (registry.password === undefined)) {
    throw badField(
      `${connection}.registry.username`,
      'must be sent together with password. Send both, or neither.',
    );
  }
  return registry;
};

/** @throws RedoubtError 400 that names the field; it never contains a password */
export const readTopicConnection = (connectionInfo: unknown, allowsPrivate: boolean): TopicConnection => {
  requireShape(connectionInfo);
  const sent = connectionInfo as KafkaConnection;
  const { bootstrapServers, topics, groupId, format, includeOffsets = false, sasl, tls = true, until } = sent;
  for (const [index, topic] of topics.entries()) {
    if (!topicName.test(topic) || topics.indexOf(topic) !== index) {
      throw invalidField({
        field: `${connection}.topics`,
        expected: 'different names of topics, of letters, digits, ".", "_" and "-"',
        got: describeValue(topic),
        advice: 'Name each topic once; patterns are not supported.',
      });
    }
  }
  if (groupId?.includes('\0') === true)
    throw badField(`${connection}.groupId`, 'must not contain the character NUL. Leave it out.');
  const mechanism = saslMechanisms.find((known) => known === sasl?.mechanism);
  if (sasl !== undefined && mechanism === undefined) {
    throw notImplemented(
      `${connection}.sasl.mechanism must be ${saslMechanisms.join(' or ')}, got ${describeValue(sasl.mechanism)}, which is not supported. Send one that is.`,
    );
  }
  const secure = tls === false ? { isSecure: false } : { isSecure: true, ...(tls === true ? {} : tls) };
  return {
    servers: readServers(bootstrapServers, allowsPrivate),
    topics,
    groupId,
    format,
    includeOffsets,
    registry: readRegistry(sent, allowsPrivate),
    sasl: sasl === undefined || mechanism === undefined ? undefined : { ...sasl, mechanism },
    ...secure,
    from: readFrom(sent.from),
    until,
    allowsPrivate,
  };
};
