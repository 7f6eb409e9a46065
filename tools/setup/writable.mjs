import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetUpError } from './say.mjs';

/** Checks the free space first, since npm may report success on a full disk. @throws SetUpError */
export function requireSpace(folder, megabytes) {
  if (!fs.statfsSync) return; // Node.js before 18.15
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free < megabytes) {
    throw new SetUpError(
      `${folder} needs ${megabytes} MB of free disk space, got ${free} MB. Free some space, then run this again.`,
    );
  }
}

/**
 * Creates the folder and a test file in it, since permission bits alone do not show whether that works.
 * @throws SetUpError
 */
export function requireWritable(folder) {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch {
    throw new SetUpError(
      `Cannot write to ${folder}, where Redoubt installs what it needs. Use a copy of Redoubt that you own, or change its owner to yourself, then run this again.`,
    );
  }
}
