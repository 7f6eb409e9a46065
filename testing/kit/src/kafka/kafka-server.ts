import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Certificate } from '../certificate.ts';
import { endWithParent } from '../end-with-parent.ts';
import { freePorts, isListening } from '../loopback-ports.ts';
import { findKafkaJars } from './kafka-jars.ts';

/** A broker that can be killed. */
interface TestBroker {
  /** A listener that takes everybody, without encryption. */
  port: number;
  /** Kills the broker. */
  kill(): Promise<void>;
}

/** An Apache Kafka broker with its data in a temporary folder. */
export interface TestKafka extends TestBroker {
  /** A listener that demands SASL/PLAIN or SCRAM of this user. */
  saslPort: number;
  username: string;
  password: string;
  /** The same with TLS, as `localhost`; only with a certificate. */
  tlsPort: number;
  /** Starts a killed broker again, with its data on the same ports. */
  restart(): Promise<void>;
  /** Starts a second broker of the same cluster, with the number 2. It ends with the first one. */
  addBroker(): Promise<TestBroker>;
  stop(): Promise<void>;
}

const user = { username: 'starter', password: 'pass-word-of-the-topics' };
const login = 'org.apache.kafka.common.security';

const logins = (listener: string): string =>
  `listener.name.${listener}.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_${user.username}="${user.password}";
listener.name.${listener}.scram-sha-256.sasl.jaas.config=${login}.scram.ScramLoginModule required;`;

const common = (folder: string): string => `
listener.security.protocol.map=OPEN:PLAINTEXT,LOGIN:SASL_PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=OPEN
log.dirs=${join(folder, 'data')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
`;

interface Ports {
  open: number;
  login: number;
  secure: number;
  controller: number;
}

const firstBroker = (folder: string, ports: Ports, certificate: string | undefined): string => {
  const listeners = [
    `OPEN://127.0.0.1:${String(ports.open)}`,
    `LOGIN://127.0.0.1:${String(ports.login)}`,
    ...(certificate === undefined ? [] : [`SECURE://localhost:${String(ports.secure)}`]),
  ].join();
  return `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${String(ports.controller)}
listeners=${listeners},CONTROLLER://127.0.0.1:${String(ports.controller)}
advertised.listeners=${listeners}
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
${logins('login')}
${certificate === undefined ? '' : `${logins('secure')}\nlistener.name.secure.ssl.keystore.type=PEM\nlistener.name.secure.ssl.keystore.location=${certificate}`}
broker.session.timeout.ms=3000
${common(folder)}`;
};

const secondBroker = (folder: string, { open, controller }: Pick<Ports, 'controller' | 'open'>): string => `
process.roles=broker
node.id=2
controller.quorum.voters=1@127.0.0.1:${String(controller)}
listeners=OPEN://127.0.0.1:${String(open)}
advertised.listeners=OPEN://127.0.0.1:${String(open)}
broker.heartbeat.interval.ms=500
${common(folder)}`;

/** Formats the folder of a broker. @returns how to start it */
const createBroker = async (
  jars: string,
  folder: string,
  settings: string,
  scram: readonly string[] = [],
): Promise<{ start(port: number): Promise<void>; kill(): Promise<void>; killNow(): void }> => {
  const file = join(folder, 'server.properties');
  await writeFile(file, settings);
  const words = (heap: string, name: string): string[] => [
    `-Xmx${heap}`,
    '-XX:TieredStopAtLevel=1',
    '-cp',
    join(jars, '*'),
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
      ...scram,
    ],
    { encoding: 'utf8' },
  );
  if (formatted.status !== 0) throw new Error(`Kafka could not format its data:\n${formatted.stderr}`);
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> | undefined;
  const killNow = (): void => void child?.kill('SIGKILL');
  return {
    killNow,
    start: async (port) => {
      const [command, args] = endWithParent('java', [...words('256m', 'kafka.Kafka'), file]);
      const started = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      ended = once(started, 'exit');
      let said = '';
      const read = (text: Buffer): void => {
        said = `${said}${text.toString()}`.slice(-8000);
      };
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      // It says nothing when it is ready, but opens its listeners then.
      while (!(await isListening(port))) {
        if (started.exitCode !== null) throw new Error(`Kafka did not start:\n${said}`);
        await sleep(100);
      }
    },
    kill: async () => {
      killNow();
      await ended;
    },
  };
};

/**
 * Starts a broker on free ports of loopback; a reason if there is none. It ends with this process.
 * @param certificate for `localhost`
 */
export const startKafka = async (certificate?: Certificate): Promise<TestKafka | { missing: string }> => {
  const jars = findKafkaJars();
  if ('missing' in jars) return jars;
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-kafka-'));
  const [open = 0, saslPort = 0, secure = 0, controller = 0, second = 0] = await freePorts(5);
  const ports = { open, login: saslPort, secure, controller };
  const keystore = join(folder, 'certificate.pem');
  if (certificate !== undefined) await writeFile(keystore, `${certificate.key}${certificate.cert}`);
  const broker = await createBroker(
    jars.folder,
    folder,
    firstBroker(folder, ports, certificate && keystore),
    ['--add-scram', `SCRAM-SHA-256=[name=${user.username},password=${user.password}]`],
  );
  const running = [broker];
  const killAll = (): void => {
    for (const one of running) one.killNow();
  };
  process.once('exit', killAll);
  await broker.start(open);
  return {
    port: open,
    saslPort,
    tlsPort: secure,
    ...user,
    kill: () => broker.kill(),
    restart: () => broker.start(open),
    addBroker: async () => {
      const own = join(folder, 'second');
      await mkdir(own);
      const added = await createBroker(jars.folder, own, secondBroker(own, { open: second, controller }));
      running.push(added);
      await added.start(second);
      return { port: second, kill: () => added.kill() };
    },
    stop: async () => {
      process.off('exit', killAll);
      for (const one of running) await one.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
