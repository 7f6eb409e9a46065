import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, canRun, install } from './debian.ts';

const usualFolders = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
];

/**
 * Finds the folder with PostgreSQL's programs, and installs them from Debian if necessary.
 * @returns the path of the folder, or a message that says why there is none
 */
export function findPostgres(): { binaries: string } | { missing: string } {
  const found = search();
  if (found !== undefined) return { binaries: found };
  if (!canInstall()) {
    return {
      missing:
        'there is no PostgreSQL server on this machine. Install one to run these tests as well (on Debian: sudo apt-get install postgresql).',
    };
  }
  const problem = install('postgresql');
  const binaries = problem === undefined ? search() : undefined;
  return binaries === undefined
    ? {
        missing: `could not install PostgreSQL: ${problem ?? 'its programs are not where Debian puts them.'}`,
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
