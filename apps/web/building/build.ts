import { finishSite, listFile } from '@redoubt/site-files';
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';

const web = dirname(import.meta.dirname);

/** Where the server looks for the console. */
export const builtConsole = join(web, 'build');

const sources = [
  'index.html',
  '{building,src}/**/*',
  '../../packages/{ui,api-client,contract,errors}/src/**/*',
  '../../package-lock.json',
];

/** Names what a console would be built from now. */
const inputs = (): string => {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: web, exclude: ['**/*.test.*'] }).toSorted()) {
    if (statSync(join(web, file)).isFile()) hash.update(`${file}\n`).update(readFileSync(join(web, file)));
  }
  return hash.digest('hex').slice(0, 32);
};

/** Whether the folder holds the console that would be built now. */
export const isCurrent = (folder: string): boolean => {
  try {
    const list = JSON.parse(readFileSync(join(folder, listFile), 'utf8')) as { inputs?: unknown };
    return list.inputs === inputs();
  } catch {
    return false;
  }
};

/**
 * Builds the console into a folder, in whose place the new one comes when it is whole.
 * @throws Error with what the builder said
 */
export const buildConsole = async (folder: string): Promise<void> => {
  const made = `${folder}-${String(process.pid)}`;
  const old = `${made}-old`;
  const from = inputs();
  try {
    await build({
      root: web,
      base: '/app/',
      configFile: false,
      logLevel: 'warn',
      plugins: [react()],
      build: {
        outDir: made,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 1000,
        modulePreload: { polyfill: false },
        rollupOptions: {
          output: {
            entryFileNames: 'assets/[name]-[hash:10].js',
            chunkFileNames: 'assets/[name]-[hash:10].js',
            assetFileNames: 'assets/[name]-[hash:10][extname]',
            hashCharacters: 'hex',
          },
        },
      },
    });
    await finishSite(made, { inputs: from, baseUrl: '/app/', origins: {} });
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
};
