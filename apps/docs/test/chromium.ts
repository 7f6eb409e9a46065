import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** What a page of a test is, besides an ordinary window of 1440 by 900. */
export interface PageOptions extends BrowserContextOptions {
  /** The one origin that may be asked. Requests to others fail, and are listed in `foreign`. */
  readonly origin: string;
}

/** A window with its own storage and cookies. */
export interface TestPage {
  readonly page: Page;
  /** Addresses at other origins that the page has asked for, without `data:` and `blob:`. */
  readonly foreign: readonly string[];
  /** What the page has put on the console as an error or warning, and the errors that nobody caught. */
  readonly complaints: readonly string[];
}

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

let running: Promise<Browser> | undefined;
// Of the file, not of the test that happens to ask first.
after(async () => (await running)?.close());

/** The one Chromium of this process; it ends with the tests of the file. `REDOUBT_CHROMIUM` names its program. */
export function browser(): Promise<Browser> {
  running ??= start();
  return running;
}

async function start(): Promise<Browser> {
  const executablePath = process.env['REDOUBT_CHROMIUM'] ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      'There is no Chromium on this machine; install one (on Debian: sudo apt-get install chromium).',
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A new window that reaches one origin only. It is closed with the browser, or by `page.context().close()`. */
export async function page(options: PageOptions): Promise<TestPage> {
  const { origin, ...rest } = options;
  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 }, ...rest });
  const foreign: string[] = [];
  await context.route(
    (url) => url.origin !== origin && url.protocol.startsWith('http'),
    async (route) => {
      foreign.push(route.request().url());
      await route.abort('blockedbyclient');
    },
  );
  const opened = await context.newPage();
  const complaints: string[] = [];
  opened.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  opened.on('pageerror', (error) => complaints.push(error.message));
  return { page: opened, foreign, complaints };
}
