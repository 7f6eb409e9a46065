import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findKafkaJars } from './kafka-jars.ts';

/** An Apache Kafka broker with its data in a temporary folder. */
export interface TestKafka {
  /** A listener that takes everybody, without encryption. */
  port: number;
  /** A listener that demands SASL/PLAIN or SCRAM of this user. */
  saslPort: number;
  username: string;
  password: string;
  /** Kills the broker. */
  kill(): Promise<void>;
  /** Starts a killed broker again, with its data on the same ports. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const freePorts = async (count: number): Promise<number[]> => {
  const listeners = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(listeners.map((listener) => once(listener, 'listening')));
  const ports = listeners.map((listener) => (listener.address() as AddressInfo).port);
  for (const listener of listeners) listener.close();
  return ports;
};

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** Makes the broker end with this process, even if this process is killed. */
const endWithParent = ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--'] as const;

const user = { username: 'starter', password: 'pass-word-of-the-topics' };
const login = 'org.apache.kafka.common.security';

const settings = (folder: string, [port = 0, saslPort = 0, controller = 0]: readonly number[]): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${String(controller)}
listeners=OPEN://127.0.0.1:${String(port)},LOGIN://127.0.0.1:${String(saslPort)},CONTROLLER://127.0.0.1:${String(controller)}
advertised.listeners=OPEN://127.0.0.1:${String(port)},LOGIN://127.0.0.1:${String(saslPort)}
listener.security.protocol.map=OPEN:PLAINTEXT,LOGIN:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=OPEN
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
listener.name.login.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_${user.username}="${user.password}";
listener.name.login.scram-sha-256.sasl.jaas.config=${login}.scram.ScramLoginModule required;
log.dirs=${join(folder, 'data')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
`;

/** Starts a broker on free ports of loopback; a reason if there is none. It ends with this process. */
export const startKafka = async (): Promise<TestKafka | { missing: string }> => {
  const jars = findKafkaJars();
  if ('missing' in jars) return jars;
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-kafka-'));
  const ports = await freePorts(3);
  const [port = 0, saslPort = 0] = ports;
  const file = join(folder, 'server.properties');
  await writeFile(file, settings(folder, ports));
  const words = (heap: string, name: string): string[] => [
    `-Xmx${heap}`,
    '-XX:TieredStopAtLevel=1',
    '-cp',
    join(jars.folder, '*'),
    name,
  ];
  const formatted = spawnSync(
    'java',
    [
      ...words('128m', 'kafka.tools.StorageTool'),
      'format',
      '--cluster-id',
      'cmVkb3VidC1vZi10ZXN0cw',
      '--config',
      file,
      '--add-scram',
      `SCRAM-SHA-256=[name=${user.username},password=${user.password}]`,
    ],
    { encoding: 'utf8' },
  );
  if (formatted.status !== 0) throw new Error(`Kafka could not format its data:\n${formatted.stderr}`);

  let child: ChildProcess;
  let ended: Promise<unknown>;
  const killChild = (): void => {
    child.kill('SIGKILL');
  };
  const start = async (): Promise<void> => {
    const java = ['java', ...words('256m', 'kafka.Kafka'), file];
    const [command, ...args] = existsSync(endWithParent[0]) ? [...endWithParent, ...java] : java;
    child = spawn(command ?? 'java', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    ended = once(child, 'exit');
    let said = '';
    const read = (text: Buffer): void => {
      said = `${said}${text.toString()}`.slice(-8000);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    // It says nothing when it is ready, but opens its listeners then.
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`Kafka did not start:\n${said}`);
      await sleep(100);
    }
  };
  const kill = async (): Promise<void> => {
    killChild();
    await ended;
  };
  process.once('exit', killChild);
  await start();
  return {
    port,
    saslPort,
    ...user,
    kill,
    restart: start,
    stop: async () => {
      process.off('exit', killChild);
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
