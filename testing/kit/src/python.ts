import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../../node_modules/.cache/redoubt');

/** A Python environment with packages, or the reason why there is none. */
export type Python = { folder: string; command: string } | { missing: string };

const canRun = (...args: string[]): boolean => spawnSync('python3', args).status === 0;

const makesEnvironments = (): boolean => canRun('-m', 'venv', '--help') && canRun('-c', 'import ensurepip');

/** Returns why no environments can be created; undefined if they can. Missing Debian packages are installed first. */
const findPython = (): string | undefined => {
  if (makesEnvironments()) return undefined;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update'], { env });
    spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', 'python3', 'python3-venv'], { env });
  }
  return makesEnvironments()
    ? undefined
    : 'there is no Python 3 with venv on this machine; install it (on Debian: sudo apt-get install python3-venv).';
};

/**
 * An environment with only these packages. It is created at its first use and kept.
 * @param packages with their versions, such as `requests==2.34.2`
 */
export const pythonWith = async (...packages: string[]): Promise<Python> => {
  const name = createHash('sha256').update(packages.toSorted().join(' ')).digest('hex').slice(0, 16);
  const folder = join(cache, `python-${name}`);
  const done = { folder, command: join(folder, 'bin/python') };
  if (existsSync(done.command)) return done;
  const missing = findPython();
  if (missing !== undefined) return { missing };
  mkdirSync(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  try {
    await run('python3', ['-m', 'venv', draft]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
    if (packages.length > 0) await run(join(draft, 'bin/python'), pip, { maxBuffer: 1 << 26 });
    // Programs of an environment name its folder, so they are started as modules; Python itself finds its packages.
    renameSync(draft, folder);
    return done;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (existsSync(done.command)) return done;
    const reason = error instanceof Error ? error.message.trim().split('\n').slice(-3).join(' ') : 'unknown';
    return { missing: `${packages.join(', ')} cannot be installed: ${reason}` };
  }
};
