import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMarked, mark } from './marks.mjs';
import { missingNatives, bringNatives } from './natives.mjs';
import { npm } from './npm.mjs';
import { root } from './root.mjs';
import { requireWritable } from './writable.mjs';

const nodeModules = join(root, 'node_modules');
const note = join(nodeModules, '.redoubt-installed');

/** Installs the packages of package-lock.json, unless node_modules has exactly these for this platform already. */
export async function dependencies(platform) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const expected = `${platform.name} ${createHash('sha256').update(lockText).digest('hex')}`;
  if (isMarked(note, expected)) return;

  const lock = JSON.parse(lockText).packages;
  requireWritable(nodeModules);
  if (!isInstalled(lock)) {
    // `npm ci` rejects a lock file without the native libraries of this platform. This installs the same versions,
    // checks the same hashes, and does not change the lock file.
    await npm(['install', '--no-save', '--include=dev', '--include=optional'], {
      intro:
        'Installing the packages of Redoubt, once: about 1,190 MB, of which the record engine is 570 MB.',
      task: 'Installing packages',
      folder: nodeModules,
      about: 1190,
    });
  }
  const missing = missingNatives(lock, platform);
  if (missing.length > 0) await bringNatives(missing, platform);
  mark(note, expected);
}

/**
 * Whether npm's own list of installed packages (which it writes last) has every package of the lock file at its
 * version, so that a developer's `npm install` is not repeated.
 */
function isInstalled(lock) {
  const file = join(nodeModules, '.package-lock.json');
  if (!existsSync(file)) return false;
  const installed = JSON.parse(readFileSync(file, 'utf8')).packages;
  return Object.entries(lock).every(([path, entry]) => {
    const there = installed[path];
    if (!path.includes('node_modules/') || (entry.optional && !there)) return true;
    return there?.version === entry.version && there?.integrity === entry.integrity;
  });
}
