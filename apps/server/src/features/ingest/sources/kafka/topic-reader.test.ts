import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterMetadata } from '@platformatic/kafka';
import { OutboundError } from '../../../../platform/outbound/index.ts';
import { createErrorDescriber } from './describe-topic-error.ts';
import type { KafkaClient } from './kafka-client.ts';
import type { TopicTask } from './topic-messages.ts';
import { readMessages } from './topic-reader.ts';

const task: TopicTask = {
  servers: [1, 2, 3].map((n) => ({ host: `broker-${String(n)}`, port: 9092 })),
  topics: ['positions'],
  isSecure: false,
  allowsPrivate: false,
  format: 'json',
  from: 'earliest',
  includeOffsets: false,
  limits: { idleMs: 1, gatherMs: 1, maxMessages: 10, maxBytes: 1000 },
};

/** A cluster whose topic has a partition on each broker, and no message. */
const clientOf = (fetch: KafkaClient['fetch']): KafkaClient => {
  const brokers = new Map(
    task.servers.map(({ host, port }, at) => [at, { nodeId: at, host, port, rack: null }]),
  );
  const partitions = [...brokers.keys()].map((leader) => ({ leader }));
  const metadata = { brokers, topics: new Map([['positions', { id: 't', partitions }]]) };
  return {
    metadata: async () => metadata as unknown as ClusterMetadata,
    offsetsAt: async () => new Map([['positions', [0n, 0n, 0n]]]),
    fetch,
    commit: async () => undefined,
    listTopics: async () => [],
  };
};

/** Reads until the task ends. */
const read = async (client: KafkaClient, refused: OutboundError[], idleMs = 1): Promise<void> => {
  const errors = createErrorDescriber(task, refused);
  const limits = { ...task.limits, idleMs };
  const deps = { client, registry: undefined, errors };
  const { done } = await readMessages(deps, { ...task, limits }, { offsets: {} }).next();
  assert.equal(done, true);
};
const refusal = (): OutboundError =>
  new OutboundError('The address 10.0.0.1 may not be called by this server');
const empty = { responses: [] } as unknown as Awaited<ReturnType<KafkaClient['fetch']>>;

test('the brokers of a round together send at most 16 MB', async () => {
  const asked: number[] = [];
  const client = clientOf(async (_broker, _topics, maxBytes) => {
    asked.push(maxBytes);
    return empty;
  });
  await read(client, []);
  const [first = 0, second = 0, third = 0] = asked;
  assert.ok(first > 0 && first + second + third <= 16_000_000, asked.join(' '));
});

test('an address that was refused ends the job while no broker has answered', async () => {
  const client = clientOf(async () => {
    throw new Error('closed');
  });
  await assert.rejects(read(client, [refusal()]), /10\.0\.0\.1 may not be called.*the cluster advertises it/);
});

test('once brokers answer, a later failure is retried although an address was refused before', async () => {
  let calls = 0;
  const client = clientOf(async () => {
    calls++;
    if (calls === 4) throw new Error('closed');
    return empty;
  });
  await read(client, [refusal()], 500);
  assert.ok(calls > 6, String(calls));
});

test('a topic that was deleted and created again ends a job that reads to the end it found before', async () => {
  const client = clientOf(async () => empty);
  const errors = createErrorDescriber(task, []);
  const place = { offsets: { 'former/0': '5' }, ends: { 'former/0': '10' } };
  const messages = readMessages({ client, registry: undefined, errors }, { ...task, until: 'end' }, place);
  await assert.rejects(messages.next(), /A topic of "positions" was deleted and created again/);
});
