import { readFileSync, writeFileSync } from 'node:fs';

/** A mark is a small file that says what was installed in a folder; it is written after a successful installation. */
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
