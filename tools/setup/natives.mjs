import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npm } from './npm.mjs';
import { broughtFolder, root } from './root.mjs';
import { SetUpError, say } from './say.mjs';

const nodeModules = join(root, 'node_modules');

/**
 * Libraries for this platform, as `name@version`, that packages of the lock ask for and npm left out: a lock
 * names the platform libraries of the machine that made it, and npm silently skips all others.
 */
export function missingNatives(lock, platform) {
  const asked = new Map();
  for (const entry of Object.values(lock)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const fits = name.includes(platform.name) && !name.includes('musl');
      if (fits && !existsSync(join(nodeModules, name, 'package.json'))) asked.set(name, version);
    }
  }
  return [...asked].map(([name, version]) => ({ name, version }));
}

/** Installs the libraries beside node_modules, where npm leaves them alone, and links them into it. */
export async function bringNatives(natives, platform) {
  const folder = join(broughtFolder, 'natives');
  const specs = natives.map(({ name, version }) => `${name}@${version}`);
  try {
    await npm(['install', ...specs, '--prefix', folder, '--no-save', '--no-package-lock', '--global=false'], {
      intro: `Bringing libraries for ${platform.name}: ${specs.join(', ')}.`,
      task: 'Bringing libraries',
      folder,
      about: 600,
    });
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    if (natives.some(({ name }) => name === platform.engine)) throw error;
    say(`Going on without ${specs.join(', ')}: only checks of the source need them.`);
    return;
  }
  for (const { name } of natives) {
    const link = join(nodeModules, name);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { recursive: true, force: true });
    symlinkSync(join(folder, 'node_modules', name), link);
  }
}
