import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { broughtFolder } from './root.mjs';
import { SetUpError } from './say.mjs';
import { isMarked, mark } from './marks.mjs';
import { requireWritable } from './writable.mjs';

const requiredMajor = 24;
const minMajor = 18;

/** The path of a Node.js 24 or later: the running one, or one that is installed from npm into .redoubt/node. */
export async function node24(platform) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= requiredMajor) return process.execPath;
  if (major < minMajor) {
    throw new SetUpError(
      `Redoubt needs Node.js ${minMajor} or later to set itself up, got ${process.versions.node}. Install it from https://nodejs.org, then run this again.`,
    );
  }
  const folder = join(broughtFolder, 'node');
  const name = platform.node.slice(0, platform.node.lastIndexOf('@'));
  const binary = join(folder, 'node_modules', name, 'bin', 'node');
  const note = join(folder, 'installed');
  if (existsSync(binary) && isMarked(note, platform.node)) return binary;

  requireWritable(broughtFolder);
  await npm(
    ['install', platform.node, '--prefix', folder, '--no-save', '--no-package-lock', '--global=false'],
    {
      intro: `Redoubt runs on Node.js ${requiredMajor}, and this is ${process.versions.node}. Installing Node.js ${requiredMajor} in ${folder}.`,
      task: `Installing Node.js ${requiredMajor}`,
      folder,
      about: 190,
    },
  );
  try {
    execFileSync(binary, ['--version'], { stdio: 'ignore' });
  } catch (error) {
    throw new SetUpError(
      `The Node.js ${requiredMajor} that npm installed does not start on this machine (${error.message}). Install Node.js ${requiredMajor} from https://nodejs.org, then run this again.`,
    );
  }
  mark(note, platform.node);
  return binary;
}
