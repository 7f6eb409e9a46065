import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npm } from './npm.mjs';
import { broughtFolder, root } from './root.mjs';
import { SetUpError, say } from './say.mjs';

const nodeModules = join(root, 'node_modules');

/**
 * The native libraries for this platform that packages need and npm does not install, if one of them is missing: a lock
 * file lists only those of the platform that created it, and npm silently skips all others.
 * @param needed the paths of the packages in the lock file
 */
export function missingNatives(lock, needed, platform) {
  const natives = new Map();
  for (const path of needed) {
    for (const [name, version] of Object.entries(lock[path].optionalDependencies ?? {})) {
      const fits = name.includes(platform.name) && !name.includes('musl');
      if (fits && !lock[`node_modules/${name}`]) natives.set(name, version);
    }
  }
  const all = [...natives].map(([name, version]) => ({ name, version }));
  // npm removes from a folder what is not named again.
  return all.every(({ name }) => isThere(name)) ? [] : all;
}

const isThere = (name) => existsSync(join(nodeModules, name, 'package.json'));

/** Installs the libraries outside node_modules, where npm does not remove them, and links them into it. */
export async function bringNatives(natives, platform) {
  const folder = join(broughtFolder, 'natives');
  const specs = natives.map(({ name, version }) => `${name}@${version}`);
  try {
    await npm(['install', ...specs, '--prefix', folder, '--no-save', '--no-package-lock', '--global=false'], {
      intro: `Installing native libraries for ${platform.name}: ${specs.join(', ')}.`,
      task: 'Installing native libraries',
      folder,
      about: 600,
    });
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    if (natives.some(({ name }) => name === platform.engine)) throw error;
    say(`Continuing without ${specs.join(', ')}: only checks of the sources need them.`);
    return;
  }
  for (const { name } of natives) {
    if (isThere(name)) continue;
    const link = join(nodeModules, name);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { recursive: true, force: true });
    symlinkSync(join(folder, 'node_modules', name), link);
  }
}
