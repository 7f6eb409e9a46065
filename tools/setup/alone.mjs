import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { say } from './say.mjs';

const retryMs = 500;

/** Runs `work` while no other process installs into the same folder: two npm at once would break each other's files. */
export async function alone(folder, work) {
  const file = join(folder, '.redoubt-installing');
  let named;
  while (!claim(file)) {
    const owner = ownerOf(file);
    if (owner !== undefined && owner !== named) {
      say(`Waiting for process ${owner}, which installs packages. If it does not, delete ${file}.`);
      named = owner;
    }
    await setTimeout(retryMs);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function claim(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** The process that wrote the file, if it still runs. The file of one that was killed is deleted. */
function ownerOf(file) {
  let owner;
  try {
    owner = Number(readFileSync(file, 'utf8')) || undefined;
    if (owner !== undefined) process.kill(owner, 0);
  } catch (error) {
    if (error.code !== 'ESRCH') return owner;
    rmSync(file, { force: true });
    return undefined;
  }
  return owner;
}
