import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Whether a folder has the installation `what`. A mark is a small file that names what is installed in a folder. It is
 * written only after a successful installation.
 */
export function isMarked(file, what) {
  try {
    return readFileSync(file, 'utf8') === what;
  } catch {
    return false;
  }
}

export function mark(file, what) {
  writeFileSync(file, what);
}
