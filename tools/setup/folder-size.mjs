import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the size of a folder in whole megabytes. */
export const megabytesOf = (folder) => Math.round(folderSize(folder) / 1e6);

/**
 * Returns the bytes in a folder and its subfolders, without caches. Files that are deleted meanwhile count as 0. It
 * blocks, since with promises it would take three times the CPU time, which the installation needs.
 */
function folderSize(folder) {
  let bytes = 0;
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    else if (entry.isDirectory() && entry.name !== '.cache') bytes += folderSize(path);
  }
  return bytes;
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
