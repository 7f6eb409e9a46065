import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/**
 * Where Chromium may be, in order of preference. The headless one renders the same pages with a third less CPU time.
 */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/**
 * Features of Chromium to turn off. Chromium uses only the last such list, so this one repeats the list of Playwright.
 */
const withoutFeatures = [
  // These add two internal pages to each window, which take as much CPU time as the page under test.
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
