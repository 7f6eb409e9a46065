import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A copy of the sources in a temporary folder. Its sources can be changed without a trace in the checkout. */
export interface WorkingCopy {
  readonly folder: string;
  remove(): void;
}

/** The files of a git checkout, without those that git ignores. */
export function sourceFiles(root: string): string[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return list.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

/**
 * Copies these files of a checkout, with hard links to its installed packages: confined programs may read no file
 * outside their folder. So the copy must be on the disk of the checkout, and is in a folder that git ignores.
 */
export function createWorkingCopy(root: string, files: readonly string[]): WorkingCopy {
  const parent = join(root, '.redoubt');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'mutations-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (const file of files) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      copyFileSync(join(root, file), join(folder, file));
    }
    for (const file of files.filter((each) => basename(each) === 'package.json')) {
      const packages = join(dirname(file), 'node_modules');
      if (existsSync(join(root, packages))) linkFolder(join(root, packages), join(folder, packages));
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

/** npm installs workspaces as relative links, which lead to their copies in the copy. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isDirectory()) {
      // Compiled code and bundles of the checkout.
      if (entry.name !== '.cache') linkFolder(source, target);
    } else linkSync(source, target);
  }
}
