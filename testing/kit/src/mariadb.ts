import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from './certificate.ts';
import { freePorts } from './loopback-ports.ts';

/** A MariaDB server with its data in a temporary folder. */
export interface TestMariadb {
  port: number;
  database: string;
  /** A user with all rights. */
  username: string;
  password: string;
  /** Replaces the files of its certificate, which it reads again at the statement FLUSH SSL. */
  writeCertificate(certificate: Certificate): Promise<void>;
  stop(): Promise<void>;
}

const server = '/usr/sbin/mariadbd';

/** Returns why there is no server on this machine; undefined if there is one. Debian's package is installed first. */
const findServer = (): string | undefined => {
  if (existsSync(server)) return undefined;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update'], { env });
    spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', 'mariadb-server-core'], { env });
  }
  return existsSync(server)
    ? undefined
    : 'there is no MariaDB server on this machine; install it (on Debian: sudo apt-get install mariadb-server-core).';
};

const shared = '/usr/share/mysql';
/** The scripts that make the tables of a new server. */
const tables = ['mysql_system_tables.sql', 'mysql_performance_tables.sql', 'mysql_system_tables_data.sql'];

const optionsOf = (folder: string): string[] => [
  '--no-defaults',
  `--datadir=${join(folder, 'data')}`,
  '--skip-log-bin',
  // The data is temporary, so it need not survive a power cut.
  '--innodb-flush-log-at-trx-commit=0',
  // Root may run the server only if it says so.
  ...(process.getuid?.() === 0 ? ['--user=root'] : []),
];

const createData = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'data', 'mysql'), { recursive: true });
  const scripts = await Promise.all(tables.map((name) => readFile(join(shared, name), 'utf8')));
  const child = spawn(server, [...optionsOf(folder), '--bootstrap'], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(['use mysql;', ...scripts].join('\n'));
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error('MariaDB could not create its tables.');
};

const user = { username: 'starter', password: 'pass-word-of-the-starter' };

const certificateFiles = (folder: string) => ({
  cert: join(folder, 'server.pem'),
  key: join(folder, 'server.key'),
});

const writeCertificate = async (folder: string, { cert, key }: Certificate): Promise<void> => {
  const files = certificateFiles(folder);
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
};

/**
 * Starts a server on a free port of loopback; a reason if there is none. It ends with this process.
 * @param certificate that of the server; without one it offers no TLS
 */
export const startMariadb = async (certificate?: Certificate): Promise<TestMariadb | { missing: string }> => {
  const missing = findServer();
  if (missing !== undefined) return { missing };
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-mariadb-'));
  await createData(folder);
  const initial = join(folder, 'initial.sql');
  await writeFile(
    initial,
    `create user '${user.username}'@'%' identified by '${user.password}';\ngrant all on *.* to '${user.username}'@'%';\ncreate database shop;\n`,
  );
  const files = certificateFiles(folder);
  if (certificate !== undefined) await writeCertificate(folder, certificate);
  const [port = 0] = await freePorts(1);
  const child = spawn(
    server,
    [
      ...optionsOf(folder),
      ...(certificate === undefined ? [] : [`--ssl-cert=${files.cert}`, `--ssl-key=${files.key}`]),
      '--bind-address=127.0.0.1',
      `--port=${String(port)}`,
      `--socket=${join(folder, 'socket')}`,
      `--init-file=${initial}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'exit');
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      said = `${said}${text.toString()}`.slice(-4000);
      if (said.includes('ready for connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`MariaDB did not start:\n${said}`)));
  });
  return {
    port,
    database: 'shop',
    ...user,
    writeCertificate: (other) => writeCertificate(folder, other),
    stop: async () => {
      process.off('exit', kill);
      kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
