import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, canRun, install } from './debian.ts';

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
  if (!canInstall()) {
    return {
      missing:
        'there is no PostgreSQL server on this machine; install one (on Debian: sudo apt-get install postgresql) to test on it as well.',
    };
  }
  const fault = install('postgresql');
  const binaries = fault === undefined ? search() : undefined;
  return binaries === undefined
    ? {
        missing: `PostgreSQL could not be installed: ${fault ?? 'its programs are not where Debian puts them.'}`,
      }
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
