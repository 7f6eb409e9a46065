import { delimiter, join } from 'node:path';
import { canInstall, canRun, install } from './debian.ts';

/** The path of the first of these programs that exists on this machine. */
export const findProgram = (...names: readonly string[]): string | undefined => {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(canRun);
};

/** The Debian packages of programs with other names. */
const packages: Readonly<Record<string, string>> = { tesseract: 'tesseract-ocr' };

/** Installs those of these programs that are missing, from Debian packages, if this user can. */
export const installPrograms = (names: readonly string[]): void => {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0 || !canInstall()) return;
  for (const name of missing) {
    const problem = install(packages[name] ?? name);
    if (problem !== undefined) console.log(`Could not install ${name}: ${problem}`);
  }
};
