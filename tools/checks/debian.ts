import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/** Whether this user can install Debian packages. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
}

/** Installs a Debian package. @returns an error message, or undefined */
export function install(name: string): string | undefined {
  console.log(`Installing ${name} with apt-get`);
  // If the update fails, the old package lists may still work.
  apt('update');
  return apt('install', '--yes', '--no-install-recommends', name);
}

/** Runs apt-get. @returns the end of its error output if it failed */
function apt(...args: string[]): string | undefined {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env });
  return status === 0 ? undefined : stderr.trim().split('\n').slice(-3).join(' ');
}

/** Whether a file is executable. */
export function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
