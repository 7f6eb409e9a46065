import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { broughtFolder } from './root.mjs';
import { SetUpError } from './say.mjs';
import { isMarked, mark } from './marks.mjs';
import { requireWritable } from './writable.mjs';

const wanted = 24;
const oldest = 18;

/** The path of a Node.js 24 or later: the one that runs this, or one from npm that is kept in .redoubt/node. */
export async function node24(platform) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= wanted) return process.execPath;
  if (major < oldest) {
    throw new SetUpError(
      `This is Node.js ${process.versions.node}; Redoubt needs Node.js ${oldest} or later to set itself up. Install one from https://nodejs.org, then run this again.`,
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
      intro: `This is Node.js ${process.versions.node}; Redoubt runs on Node.js ${wanted}, which it keeps in ${folder}.`,
      task: `Bringing Node.js ${wanted}`,
      folder,
      about: 190,
    },
  );
  try {
    execFileSync(binary, ['--version'], { stdio: 'ignore' });
  } catch (error) {
    throw new SetUpError(
      `The Node.js ${wanted} that npm brought does not start here (${error.message}). Install Node.js ${wanted} from https://nodejs.org, then run this again.`,
    );
  }
  mark(note, platform.node);
  return binary;
}
