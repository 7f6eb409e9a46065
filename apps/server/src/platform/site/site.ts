import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from '../log/logger.ts';
import type { Clock } from '../runtime.ts';
import { manifestFile, readManifest, type SiteManifest } from './site-manifest.ts';

/** A folder of pages and files, built beforehand, which may come or change while the server runs. */
export interface Site {
  /** The folder, without the slash at its end. */
  folder: string;
  /** The list of what is there now; undefined while there is no finished site. */
  current(): SiteManifest | undefined;
}

interface SiteDeps {
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

const lookAgainMs = 1000;

/** What says that the list is another one; undefined where there is none. */
const markOf = (file: string): string | undefined => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.ino} ${found.mtimeMs} ${found.size}`;
};

/**
 * The site in a folder. It looks at most once a second whether another one was put there, and holds no more than its list.
 */
export const createSite = ({ clock, logger, ...named }: SiteDeps & { folder: string }): Site => {
  const folder = resolve(named.folder);
  const file = join(folder, manifestFile);
  let lookedAt = -Infinity;
  let mark: string | undefined;
  let manifest: SiteManifest | undefined;
  const read = (): SiteManifest | undefined => {
    if (mark === undefined) return undefined;
    try {
      return readManifest(readFileSync(file, 'utf8'));
    } catch (error) {
      logger.warn({ err: error }, `${file} is no list of a site: run npm run docs:build`);
      return undefined;
    }
  };
  return {
    folder,
    current: () => {
      const now = clock.now().getTime();
      if (Math.abs(now - lookedAt) < lookAgainMs) return manifest;
      lookedAt = now;
      const found = markOf(file);
      if (found !== mark) {
        mark = found;
        manifest = read();
      }
      return manifest;
    },
  };
};

/** The same where a folder is named, and nothing otherwise. */
export const openSite = ({ folder, ...deps }: SiteDeps & { folder: string | undefined }): Site | undefined =>
  folder === undefined ? undefined : createSite({ folder, ...deps });
