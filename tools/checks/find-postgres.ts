import { spawnSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const usualFolders = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
];

/** The folder with PostgreSQL's programs, installed from Debian first if need be; or why there is none. */
export function findPostgres(): { binaries: string } | { missing: string } {
  const found = search();
  if (found !== undefined) return { binaries: found };
  if (process.getuid?.() !== 0 || !runs('apt-get', ['--version'])) {
    return {
      missing:
        'there is no PostgreSQL server on this machine; install one (on Debian: sudo apt-get install postgresql) to test on it as well.',
    };
  }
  console.log('Installing PostgreSQL with apt-get');
  runs('apt-get', ['update']);
  const installed = runs('apt-get', ['install', '--yes', '--no-install-recommends', 'postgresql']);
  const binaries = installed ? search() : undefined;
  return binaries === undefined
    ? { missing: 'apt-get could not install postgresql; install a PostgreSQL server to test on it as well.' }
    : { binaries };
}

function search(): string | undefined {
  const folders = [
    ...usualFolders
      .flatMap((pattern) => globSync(pattern))
      .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) =>
    ['initdb', 'postgres', 'pg_isready'].every((name) => canRun(join(folder, name))),
  );
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function runs(command: string, args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'ignore', env }).status === 0;
}
