import { canInstall, install } from './debian.ts';
import { findProgram } from './find-program.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The program of a Chromium, installed from Debian first if need be; or why there is none. */
export function findChromium(): { program: string } | { missing: string } {
  const found = findProgram(...names);
  if (found !== undefined) return { program: found };
  if (!canInstall()) {
    return {
      missing:
        'there is no Chromium on this machine; install one (on Debian: sudo apt-get install chromium) to try the pages in it.',
    };
  }
  const fault = install('chromium');
  const program = fault === undefined ? findProgram(...names) : undefined;
  return program === undefined
    ? {
        missing: `Chromium could not be installed: ${fault ?? 'its program is not where Debian puts it.'}`,
      }
    : { program };
}
