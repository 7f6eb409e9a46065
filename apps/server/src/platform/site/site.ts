import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from '../log/logger.ts';
import type { Clock } from '../runtime.ts';
import { manifestFile, readManifest, type SiteManifest } from './site-manifest.ts';

/** A folder with the built documentation site, which may appear or change while the server runs. */
export interface Site {
  /** The folder, without a trailing slash. */
  folder: string;
  /** The current manifest; undefined while there is no complete site. */
  current(): SiteManifest | undefined;
}

interface SiteDeps {
  /** The path that the site was built for: `/` where absent. */
  baseUrl?: '/' | '/app/';
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

const recheckMs = 1000;

/** A text that changes when the manifest file is replaced; undefined if there is none. */
const fingerprintOf = (file: string): string | undefined => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.ino} ${found.mtimeMs} ${found.size}`;
};

/** Opens the site in a folder. It checks at most once a second for a new one, and keeps only the manifest in memory. */
export const createSite = ({
  clock,
  logger,
  baseUrl = '/',
  ...named
}: SiteDeps & { folder: string }): Site => {
  const folder = resolve(named.folder);
  const file = join(folder, manifestFile);
  let checkedAt = -Infinity;
  let fingerprint: string | undefined;
  let manifest: SiteManifest | undefined;
  const read = (): SiteManifest | undefined => {
    if (fingerprint === undefined) return undefined;
    try {
      return readManifest(readFileSync(file, 'utf8'), baseUrl);
    } catch (error) {
      const script = baseUrl === '/' ? 'docs:build' : 'web:build';
      logger.warn(
        { err: error },
        `${file} must be the manifest of a built site, got something else. Run npm run ${script}.`,
      );
      return undefined;
    }
  };
  return {
    folder,
    current: () => {
      const now = clock.now().getTime();
      if (Math.abs(now - checkedAt) < recheckMs) return manifest;
      checkedAt = now;
      const found = fingerprintOf(file);
      if (found !== fingerprint) {
        fingerprint = found;
        manifest = read();
      }
      return manifest;
    },
  };
};

/** Like `createSite`; undefined without a folder. */
export const openSite = ({ folder, ...deps }: SiteDeps & { folder: string | undefined }): Site | undefined =>
  folder === undefined ? undefined : createSite({ folder, ...deps });
