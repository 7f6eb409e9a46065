import { Admin, Producer } from '@platformatic/kafka';
import { startKafka } from '@redoubt/testkit';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A topic of a broker of its own. */
export interface FilledTopic {
  port: number;
  name: string;
  stop(): Promise<void>;
}

const partitions = 4;
const messagesAtOnce = 5000;

/** Starts a broker, and makes each line of a file a message of a topic. @returns a reason if there is no broker */
export async function fillTopic(path: string): Promise<FilledTopic | { missing: string }> {
  const broker = await startKafka();
  if ('missing' in broker) return broker;
  const name = 'rows';
  const client = { clientId: 'bench', bootstrapBrokers: [`127.0.0.1:${String(broker.port)}`] };
  const admin = new Admin(client);
  const producer = new Producer(client);
  try {
    await admin.createTopics({ topics: [name], partitions, replicas: 1 });
    let partition = 0;
    let waiting: Buffer[] = [];
    const flush = async (): Promise<void> => {
      const values = waiting;
      waiting = [];
      partition = (partition + 1) % partitions;
      await producer.send({ messages: values.map((value) => ({ topic: name, partition, value })) as never });
    };
    for await (const row of createInterface({ input: createReadStream(path) })) {
      waiting.push(Buffer.from(row));
      if (waiting.length === messagesAtOnce) await flush();
    }
    if (waiting.length > 0) await flush();
  } finally {
    await producer.close();
    await admin.close();
  }
  return { port: broker.port, name, stop: () => broker.stop() };
}
