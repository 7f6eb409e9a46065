import type { OutboundError } from '../../../../platform/outbound/index.ts';
import { ReaderError } from '../reader-error.ts';
import type { TopicConnection } from './topic-messages.ts';

/** All errors that led to an error, the outermost first. */
function* causesOf(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return;
  yield error;
  if (error instanceof AggregateError) for (const inner of error.errors) yield* causesOf(inner, depth + 1);
  yield* causesOf(error.cause, depth + 1);
}

const textOf = (error: Error, name: string): string => {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
};

/** Errors of the protocol that retrying does not mend, with what to check. */
const lasting: Readonly<Record<string, string>> = {
  SASL_AUTHENTICATION_FAILED: 'Check the user name and the password in sasl',
  UNSUPPORTED_SASL_MECHANISM: 'Send a sasl.mechanism that the cluster offers',
  ILLEGAL_SASL_STATE: 'Send sasl, which the cluster demands, or leave it out if it has none',
  TOPIC_AUTHORIZATION_FAILED: 'Let the user read the topics, or name others',
  GROUP_AUTHORIZATION_FAILED: 'Let the user read the group, or name another one',
  CLUSTER_AUTHORIZATION_FAILED: 'Let the user describe the cluster',
  UNSUPPORTED_VERSION: 'Use a cluster of Kafka 2.8 or later',
};

const unreachable = (message: string): ReaderError => new ReaderError(message, { isUnreachable: true });

/** A failure, and whether a retry may succeed. */
export interface DescribedError {
  error: ReaderError;
  mayPass: boolean;
}

/** Describes the errors of one process that reads topics. */
export interface ErrorDescriber {
  describe(error: unknown): DescribedError;
  /** Call it when the cluster has answered: an address that was refused before is then not why a later request fails. */
  succeeded(): void;
}

/** @param refused the connections that were refused; it grows while the process runs */
export const createErrorDescriber = (
  connection: TopicConnection,
  refused: OutboundError[],
): ErrorDescriber => ({
  describe: (error) => describeTopicError(error, connection, refused),
  succeeded: () => {
    refused.length = 0;
  },
});

/** Describes why topics cannot be read. Messages of the library are left out: they may repeat what was sent. */
const describeTopicError = (
  cause: unknown,
  { servers, topics, isSecure }: TopicConnection,
  refused: readonly OutboundError[],
): DescribedError => {
  if (cause instanceof ReaderError) return { error: cause, mayPass: false };
  const where = `Cannot use Kafka at ${servers.map(({ host, port }) => `${host}:${String(port)}`).join(', ')}`;
  const lastingError = (why: string, advice: string): DescribedError => ({
    error: unreachable(`${where}: ${why}. ${advice}, then try again.`),
    mayPass: false,
  });
  const [forbidden] = refused;
  if (forbidden !== undefined) {
    return lastingError(
      `${forbidden.message}. It was sent in bootstrapServers, or the cluster advertises it`,
      'Send other servers, or let the brokers advertise addresses that this server may call',
    );
  }
  const errors = [...causesOf(cause)];
  for (const error of errors) {
    const id = textOf(error, 'apiId');
    const advice = lasting[id];
    if (advice !== undefined) return lastingError(`it reports ${id}`, advice);
    if (textOf(error, 'code') === 'PLT_KFK_AUTHENTICATION')
      return lastingError('it does not accept the credential', lasting['SASL_AUTHENTICATION_FAILED'] ?? '');
    if (error.message.startsWith('Unknown topic ')) {
      return lastingError(
        `it has no topic ${topics.length === 1 ? JSON.stringify(topics[0]) : `of these: ${topics.join(', ')}`}`,
        'Check topics; this server creates none',
      );
    }
    if (isSecure && /CERT|SELF_SIGNED|ISSUER|ERR_TLS|ERR_SSL|EPROTO/.test(textOf(error, 'code'))) {
      return lastingError(
        `its certificate cannot be trusted (${textOf(error, 'code')})`,
        'Send the certificate of its authority in tls.ca, and hosts that the certificate names',
      );
    }
  }
  const codes = errors.map((error) => textOf(error, 'apiId') || textOf(error, 'code'));
  const code = codes.findLast((text) => /^[A-Z][A-Z0-9_]{1,60}$/.test(text) && !text.startsWith('PLT_KFK_'));
  return {
    error: unreachable(
      `${where}: it did not respond (${code ?? 'the connection was closed'}). Check hosts and ports, that the brokers take connections, and ${isSecure ? 'that they offer TLS (otherwise send tls: false, if you trust the network)' : 'whether they need TLS'}, then try again.`,
    ),
    mayPass: true,
  };
};
