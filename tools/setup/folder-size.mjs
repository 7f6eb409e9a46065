import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the bytes in a folder and its subfolders. Files that are deleted meanwhile count as 0. */
export async function folderSize(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderSize(path);
    else if (entry.isFile()) bytes += (await lstat(path).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}
