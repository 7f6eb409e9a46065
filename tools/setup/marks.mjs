import { readFileSync, writeFileSync } from 'node:fs';

/** A mark is a small file that says what a folder was last filled with; it is written when all went well. */
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
