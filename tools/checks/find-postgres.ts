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
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    return {
      missing:
        'there is no PostgreSQL server on this machine; install one (on Debian: sudo apt-get install postgresql) to test on it as well.',
    };
  }
  console.log('Installing PostgreSQL with apt-get');
  // Lists that cannot be fetched anew may still name a version that is there.
  apt('update');
  const fault = apt('install', '--yes', '--no-install-recommends', 'postgresql');
  const binaries = fault === undefined ? search() : undefined;
  return binaries === undefined
    ? {
        missing: `PostgreSQL could not be installed: ${fault ?? 'its programs are not where Debian puts them.'}`,
      }
    : { binaries };
}

/** What apt-get said when it failed. */
function apt(...args: string[]): string | undefined {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env });
  return status === 0 ? undefined : stderr.trim().split('\n').slice(-3).join(' ');
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
