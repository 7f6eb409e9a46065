import { delimiter, join } from 'node:path';
import { canInstall, canRun, install } from './debian.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The program of a Chromium, installed from Debian first if need be; or why there is none. */
export function findChromium(): { program: string } | { missing: string } {
  const found = search();
  if (found !== undefined) return { program: found };
  if (!canInstall()) {
    return {
      missing:
        'there is no Chromium on this machine; install one (on Debian: sudo apt-get install chromium) to try the pages in it.',
    };
  }
  const fault = install('chromium');
  const program = fault === undefined ? search() : undefined;
  return program === undefined
    ? {
        missing: `Chromium could not be installed: ${fault ?? 'its program is not where Debian puts it.'}`,
      }
    : { program };
}

function search(): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(canRun);
}
