import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres } from './find-postgres.ts';

/** A PostgreSQL server for one run of tests or benchmarks. */
export interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** The data is temporary, so it need not survive a power cut. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

/**
 * Starts a server on a free port with its data in a temporary folder, or says why there is none.
 * @param further settings beyond the defaults for temporary data, such as `work_mem=64MB`
 */
export async function startPostgres(
  signal: AbortSignal,
  further: readonly string[] = [],
): Promise<Postgres | { missing: string }> {
  const found = findPostgres();
  if ('missing' in found) return found;

  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-postgres-'));
  if ('uid' in user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const program = (name: string): string => join(found.binaries, name);

  try {
    execFileSync(
      program('initdb'),
      ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  // Chosen after the long step, so that nothing takes it meanwhile.
  const port = await freePort();
  const options = [...settings, ...further].flatMap((one) => ['-c', one]);
  const server = spawn(
    program('postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', folder, ...options],
    { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  let errorOutput = '';
  server.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-2000)));
  const ended = once(server, 'exit');

  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const isReady = (): boolean =>
    spawnSync(program('pg_isready'), ['-q', '-h', '127.0.0.1', '-p', `${port}`]).status === 0;
  while (!isReady()) {
    if (server.exitCode !== null || signal.aborted) {
      await stop();
      throw new Error(`PostgreSQL did not start:\n${errorOutput}`);
    }
    await sleep(100);
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
}

/** PostgreSQL does not run as root, so root runs it as the user that Debian creates for it, or as nobody. */
function unprivilegedUser(): { uid: number; gid: number } | Record<never, never> {
  if (process.getuid?.() !== 0) return {};
  const name = ['postgres', 'nobody'].find((name) => spawnSync('id', [name]).status === 0) ?? 'nobody';
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
