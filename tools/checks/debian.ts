import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/** Whether packages of Debian can be installed by who runs this. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
}

/** Installs a package of Debian; answers what went wrong. */
export function install(name: string): string | undefined {
  console.log(`Installing ${name} with apt-get`);
  // Lists that cannot be fetched anew may still name a version that is there.
  apt('update');
  return apt('install', '--yes', '--no-install-recommends', name);
}

/** What apt-get said when it failed. */
function apt(...args: string[]): string | undefined {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env });
  return status === 0 ? undefined : stderr.trim().split('\n').slice(-3).join(' ');
}

/** Whether a file is a program. */
export function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
