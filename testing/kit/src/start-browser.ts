import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The first is headless Chromium, which renders the same pages with a third less work. */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** Features of Chromium that are off. The last list on its command line counts, so Playwright's are named again. */
const withoutFeatures = [
  // They add two internal pages to each window, which cost as much as the page under test.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
  // The features that Playwright turns off.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Starts a Chromium, which runs until it is closed. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env['REDOUBT_CHROMIUM'] ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      'There is no Chromium on this machine; install one (on Debian: sudo apt-get install chromium-headless-shell).',
    );
  }
  return chromium.launch({
    executablePath,
    timeout: 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${withoutFeatures.join(',')}`,
    ],
  });
}
