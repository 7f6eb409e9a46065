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

/** Installs what package-lock.json names, if node_modules does not hold just that for this platform already. */
export async function dependencies(platform) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const wanted = `${platform.name} ${createHash('sha256').update(lockText).digest('hex')}`;
  if (isMarked(note, wanted)) return;

  const lock = JSON.parse(lockText).packages;
  requireWritable(nodeModules);
  if (!holdsAll(lock)) {
    // `npm ci` refuses a lock that lacks the libraries of platforms other than that of its maker; this installs
    // the same versions, checks them against the same hashes, and leaves the lock as it is.
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
  mark(note, wanted);
}

/**
 * Whether npm's own note of what it installed (which it writes last) names every package of the lock at its
 * version, so that a developer's `npm install` is not thrown away and done again.
 */
function holdsAll(lock) {
  const file = join(nodeModules, '.package-lock.json');
  if (!existsSync(file)) return false;
  const installed = JSON.parse(readFileSync(file, 'utf8')).packages;
  return Object.entries(lock).every(([path, entry]) => {
    const there = installed[path];
    if (!path.includes('node_modules/') || (entry.optional && !there)) return true;
    return there?.version === entry.version && there?.integrity === entry.integrity;
  });
}
