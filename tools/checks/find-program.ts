import { delimiter, join } from 'node:path';
import { canInstall, canRun, install } from './debian.ts';

/** The first of these programs that is on this machine. */
export const findProgram = (...names: readonly string[]): string | undefined => {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(canRun);
};

/** Installs those of these programs that are missing from Debian's packages of the same names, where it may. */
export const installPrograms = (names: readonly string[]): void => {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0 || !canInstall()) return;
  for (const name of missing) {
    const fault = install(name);
    if (fault !== undefined) console.log(`${name} could not be installed: ${fault}`);
  }
};
