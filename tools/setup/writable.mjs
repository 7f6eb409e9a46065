import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetUpError } from './say.mjs';

/** npm may report success on a full disk, so what is to fit is measured before. */
export function requireSpace(folder, megabytes) {
  if (!fs.statfsSync) return; // Node.js before 18.15
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free < megabytes) {
    throw new SetUpError(
      `${folder} needs ${megabytes} MB more, and its disk has ${free} MB left. Free some space, then run this again.`,
    );
  }
}

/** Makes the folder and proves that files can be made in it: permission bits alone say too little. */
export function requireWritable(folder) {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch {
    throw new SetUpError(
      `Cannot write in ${folder}: Redoubt installs what it needs there. Use a copy of Redoubt that you own, or change its owner to yourself, then run this again.`,
    );
  }
}
