import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { megabytesOf } from './folder-size.mjs';
import { announce, containing, installArguments, packagesOf, parts } from './installation.mjs';
import { isMarked, mark } from './marks.mjs';
import { bringNatives, missingNatives } from './natives.mjs';
import { npm } from './npm.mjs';
import { root } from './root.mjs';
import { requireWritable } from './writable.mjs';

const nodeModules = join(root, 'node_modules');
const note = join(nodeModules, '.redoubt-installed');

/**
 * Installs the packages of a part, unless node_modules has them for this platform already. What is installed stays as
 * it is, so that a server can run meanwhile.
 */
export async function dependencies(part, platform) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lockText).digest('hex');
  const noteOf = (name) => `${platform.name} ${hash} ${name}`;
  const isComplete = () => containing(part).some((name) => isMarked(note, noteOf(name)));
  if (isComplete()) return;

  const lock = JSON.parse(lockText).packages;
  requireWritable(nodeModules);
  await alone(nodeModules, async () => {
    if (isComplete()) return;
    const args = installArguments(part, lock, installedPackages());
    if (args !== undefined) {
      await npm(args, {
        intro: announce(part, megabytesOf(nodeModules)),
        task: 'Installing packages',
        folder: nodeModules,
        about: parts[part].megabytes,
      });
    }
    const missing = missingNatives(lock, packagesOf(part, lock), platform);
    if (missing.length > 0) await bringNatives(missing, platform);
    mark(note, noteOf(part));
  });
}

/** What npm installed last, by path. */
function installedPackages() {
  const file = join(nodeModules, '.package-lock.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}
