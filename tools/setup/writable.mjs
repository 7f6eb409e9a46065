import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetUpError } from './say.mjs';

/** Makes the folder and proves that files can be made in it: permission bits alone say too little. */
export function requireWritable(folder) {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new SetUpError(
      `Cannot write in ${folder} (${error.code}): Redoubt installs what it needs there. Use a copy of Redoubt that you own, or change its owner to yourself, then run this again.`,
    );
  }
}
