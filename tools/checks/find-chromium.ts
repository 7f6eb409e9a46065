import { canInstall, install } from './debian.ts';
import { findProgram } from './find-program.ts';

/** Chromium without its windows: it shows the same pages with a third less work. */
const shell = 'chromium-headless-shell';
const names = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * The program of a Chromium, installed from Debian first if need be, the one without windows where it can be had; or why
 * there is none. `REDOUBT_CHROMIUM` names another.
 */
export function findChromium(): { program: string } | { missing: string } {
  const named = process.env['REDOUBT_CHROMIUM'];
  if (named !== undefined) return { program: named };
  const found = findProgram(shell) ?? installed(shell) ?? findProgram(...names);
  if (found !== undefined) return { program: found };
  if (!canInstall()) {
    return {
      missing: `there is no Chromium on this machine; install one (on Debian: sudo apt-get install ${shell}) to try the pages in it.`,
    };
  }
  const program = installed('chromium');
  return program === undefined ? { missing: 'Chromium could not be installed.' } : { program };
}

/** The program of this name from Debian's package of the same name, where it may be installed and is there. */
function installed(name: string): string | undefined {
  if (!canInstall()) return undefined;
  const fault = install(name);
  const program = fault === undefined ? findProgram(name) : undefined;
  if (program === undefined) {
    console.log(`${name} could not be installed: ${fault ?? 'its program is not where Debian puts it.'}`);
  }
  return program;
}
