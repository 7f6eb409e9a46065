import { canInstall, install } from './debian.ts';
import { findProgram } from './find-program.ts';

/** Chromium without windows: it renders the same pages with a third less CPU time. */
const shell = 'chromium-headless-shell';
const names = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Finds Chromium, preferably the one without windows, and installs it from Debian if necessary. `REDOUBT_CHROMIUM`
 * overrides the path.
 * @returns the path of the program, or a message that says why there is none
 */
export function findChromium(): { program: string } | { missing: string } {
  const named = process.env['REDOUBT_CHROMIUM'];
  if (named !== undefined) return { program: named };
  const found = findProgram(shell) ?? installProgram(shell) ?? findProgram(...names);
  if (found !== undefined) return { program: found };
  if (!canInstall()) {
    return {
      missing: `there is no Chromium on this machine. Install it to test the pages in a browser (on Debian: sudo apt-get install ${shell}).`,
    };
  }
  const program = installProgram('chromium');
  return program === undefined ? { missing: 'could not install Chromium.' } : { program };
}

/**
 * Installs the Debian package of this name.
 * @returns the path of its program, or undefined if the installation failed
 */
function installProgram(name: string): string | undefined {
  if (!canInstall()) return undefined;
  const problem = install(name);
  const program = problem === undefined ? findProgram(name) : undefined;
  if (program === undefined) {
    console.log(`Could not install ${name}: ${problem ?? 'its program is not where Debian puts it.'}`);
  }
  return program;
}
