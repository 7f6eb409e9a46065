import { finishSite, hashInputs, isBuiltFrom, replaceFolder } from '@redoubt/site-files';
import react from '@vitejs/plugin-react';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';

const web = dirname(import.meta.dirname);

/** Where the server looks for the console. */
export const builtConsole = join(web, 'build');

const sources = [
  'index.html',
  '{building,src}/**/*',
  '../../packages/{ui,api-client,contract,errors,labels,query,site-files}/src/**/*',
  '../../package-lock.json',
];

const inputs = (): string => hashInputs({ folder: web, sources });

/** Whether the folder holds the console that would be built now. */
export const isCurrent = (folder: string): boolean => isBuiltFrom(folder, inputs());

/**
 * Builds the console into a folder, in whose place the new one comes when it is whole.
 * @throws Error with what the builder said
 */
export const buildConsole = async (folder: string): Promise<void> => {
  const made = `${folder}-${String(process.pid)}`;
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
    replaceFolder(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
};
