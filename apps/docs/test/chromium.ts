import { after } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from '@redoubt/testkit/browser';

/** The options of a test page. The default window is 1440 by 900. */
export interface PageOptions extends BrowserContextOptions {
  /** The only allowed origin. Requests to others fail, and are listed in `foreign`. */
  readonly origin: string;
}

/** A window with its own storage and cookies. */
export interface TestPage {
  readonly page: Page;
  /** The requested addresses of other origins, without `data:` and `blob:`. */
  readonly foreign: readonly string[];
  /** The errors and warnings on the console (except about time), and the uncaught errors. */
  readonly complaints: readonly string[];
}

/** The warning about fonts that are used only seconds after the page was loaded, as on a busy machine. */
const tellsOfTime = /^The resource \S+ was preloaded .* but not used within a few seconds/;

let running: Promise<Browser> | undefined;
// Registered here, because a hook that a test registers would close the browser at the end of that test.
after(async () => (await running)?.close());

/** The Chromium of this process, which all tests of a file share. `REDOUBT_CHROMIUM` is the path of its program. */
function browser(): Promise<Browser> {
  running ??= startBrowser();
  return running;
}

/** A new window with its own storage and cookies. It has no timeouts, because a slow machine must not fail a test. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(0);
  return context;
}

/** A new window that can reach one origin only. It is closed with the browser, or by `page.context().close()`. */
export async function page(options: PageOptions): Promise<TestPage> {
  const { origin, ...rest } = options;
  const context = await newContext(rest);
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
    if (['error', 'warning'].includes(message.type()) && !tellsOfTime.test(message.text()))
      complaints.push(message.text());
  });
  opened.on('pageerror', (error) => complaints.push(error.message));
  return { page: opened, foreign, complaints };
}
