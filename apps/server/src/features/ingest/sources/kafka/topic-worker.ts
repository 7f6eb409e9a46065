import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { restrictConnections } from '../../../../platform/outbound/index.ts';
import { createErrorDescriber } from './describe-topic-error.ts';
import { createKafkaClient } from './kafka-client.ts';
import { createSchemaRegistry } from './schema-registry.ts';
import { ReaderError } from '../reader-error.ts';
import type { TopicPlace, TopicTask } from './topic-messages.ts';
import { findPlace, partitionsOf, readMessages } from './topic-reader.ts';

/**
 * The program of a process that reads topics: it writes their messages to standard output. What a cluster sends is parsed
 * here, where it can reach neither the files nor the memory of the server. The lines are `R` and a message, `P` and the
 * place where a job begins, `E` and the result, `T` and the names of topics, `W` if there is nothing to tell, or `F` and an
 * error; all but `R` as JSON.
 */

/** Number of characters that are written at once. */
const writtenAtOnce = 256 * 1024;
/** The first messages are written after this time, whether or not there are more. */
const flushMs = 500;

const task = JSON.parse(await text(process.stdin)) as TopicTask;
const errors = createErrorDescriber(task, restrictConnections(task.allowsPrivate));
let waiting = '';
let flushedAt = performance.now();

const flush = async (): Promise<void> => {
  const lines = waiting;
  waiting = '';
  flushedAt = performance.now();
  if (lines !== '' && !process.stdout.write(lines)) await once(process.stdout, 'drain');
};

const client = createKafkaClient(task);

/** The offsets before the place are stored, so tools may show them. Nothing depends on it. */
const commitRead = async (
  { groupId, topics }: TopicTask,
  { offsets }: Pick<TopicPlace, 'offsets'>,
): Promise<void> => {
  if (groupId === undefined) return;
  const all = partitionsOf(await client.metadata(false), topics);
  const read = all.flatMap(({ key, topic, partition }) => {
    const offset = offsets[key];
    return offset === undefined ? [] : [{ topic, partition, offset: BigInt(offset) }];
  });
  await client.commit(read);
};

const run = async (): Promise<void> => {
  if (task.find !== undefined) {
    waiting += `P${JSON.stringify(await findPlace(client, task, task.find.offsets))}\n`;
    return;
  }
  if (task.listTopics === true) {
    waiting += `T${JSON.stringify(await client.listTopics())}\n`;
    return;
  }
  if (task.commit !== undefined) {
    await commitRead(task, task.commit);
    waiting += 'W\n';
    return;
  }
  const place = task.read ?? { offsets: {} };
  void commitRead(task, place).catch(() => undefined);
  const registry = task.registry && createSchemaRegistry(task.registry, task.allowsPrivate);
  const messages = readMessages({ client, registry, errors }, task, place);
  for (;;) {
    const { done, value } = await messages.next();
    if (done === true) {
      waiting += value === undefined ? 'W\n' : `E${JSON.stringify(value)}\n`;
      return;
    }
    waiting += `R${value}\n`;
    if (waiting.length >= writtenAtOnce || performance.now() - flushedAt > flushMs) await flush();
  }
};

try {
  await run();
} catch (error) {
  const described = errors.describe(error).error;
  if (!(described instanceof ReaderError)) throw error;
  const { message, isUnreachable } = described;
  waiting += `F${JSON.stringify({ message, isUnreachable })}\n`;
}
await flush();
