import { Admin } from '@platformatic/kafka';
import { findKafkaJars, startKafka } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TopicTask } from './sources/kafka/topic-messages.ts';

const worker = fileURLToPath(new URL('./sources/kafka/topic-worker.ts', import.meta.url));
/** An address that servers may call. Here it belongs to this machine, in a network of its own without any other. */
const publicAddress = '9.9.9.9';
const topic = 'seen';

/** Reads a topic as a server that may not call private networks, from a broker with a public and a private address. */
const readInside = async (): Promise<void> => {
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  execFileSync('ip', ['address', 'add', `${publicAddress}/32`, 'dev', 'lo']);
  const broker = await startKafka();
  if ('missing' in broker) throw new Error(broker.missing);
  const relay = createServer((client) => {
    const upstream = connect(broker.port, '127.0.0.1');
    client.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => client.destroy()).pipe(client);
  }).listen(0, publicAddress);
  await once(relay, 'listening');
  const admin = new Admin({
    clientId: 'test',
    bootstrapBrokers: [`127.0.0.1:${String(broker.port)}`],
  });
  await admin.createTopics({ topics: [topic], partitions: 1, replicas: 1 });
  const task: TopicTask = {
    servers: [{ host: publicAddress, port: (relay.address() as AddressInfo).port }],
    topics: [topic],
    format: 'json',
    includeOffsets: false,
    isSecure: false,
    from: 'earliest',
    allowsPrivate: false,
    find: { offsets: {} },
    limits: { idleMs: 1, gatherMs: 1, maxMessages: 10, maxBytes: 1000 },
  };
  const child = spawn(process.execPath, [worker], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(task));
  // The process lives on, because its connection to the broker is open.
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  process.stdout.write(line);
  child.kill();
  await admin.close();
  await broker.stop();
  relay.close();
};

const namespace = ['unshare', '--net', '--'] as const;

/** What this machine lacks, or undefined. It fetches Kafka, which no program inside the namespace can do. */
const findMissing = (): string | undefined => {
  const jars = findKafkaJars();
  if ('missing' in jars) return jars.missing;
  const [command, ...args] = namespace;
  return spawnSync(command, [...args, 'ip', 'link', 'set', 'lo', 'up']).status === 0
    ? undefined
    : 'it needs the right to create a network namespace, and the programs unshare and ip';
};

if (process.argv[2] === 'inside') await readInside();
else
  test('a broker that a cluster advertises is refused by the address that it has', async (t) => {
    const missing = findMissing();
    if (missing !== undefined) return t.skip(missing);
    const [command, ...args] = namespace;
    const child = spawn(
      command,
      [...args, process.execPath, ...process.execArgv, import.meta.filename, 'inside'],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.notEqual(said, '', `the program inside the namespace said nothing: ${errors}`);
    assert.match(
      said,
      /^F\{"message":"Cannot use Kafka at 9\.9\.9\.9:\d+: The address 127\.0\.0\.1 may not be called by this server\. It was sent in bootstrapServers, or the cluster advertises it\. .*"isUnreachable":true\}$/,
    );
  });
