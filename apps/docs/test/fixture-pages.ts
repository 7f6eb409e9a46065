import type { Page } from 'playwright-core';

import { fixtureSite, page, serveSite, type PageOptions, type TestPage } from './site.ts';

/** A served fixture site, with functions that open its pages. */
export interface FixturePages {
  readonly origin: string;
  /** Opens a new window at the path, and resolves when React runs on the page. */
  open(path: string, options?: Omit<PageOptions, 'origin'>): Promise<TestPage>;
  /** Opens a new window without a page, which a test can prepare before it calls `visit`. */
  window(options?: Omit<PageOptions, 'origin'>): Promise<TestPage>;
  visit(page: Page, path: string): Promise<void>;
}

/** Serves `test/fixtures/<name>/` until the tests of the file have ended. */
export async function fixturePages(name: string): Promise<FixturePages> {
  const { origin } = await serveSite(await fixtureSite(name));
  const window: FixturePages['window'] = (options = {}) => page({ origin, ...options });
  const visit: FixturePages['visit'] = async (page, path) => {
    await page.goto(origin + path);
    await hydrated(page);
  };
  return {
    origin,
    window,
    visit,
    open: async (path, options) => {
      const opened = await window(options);
      await visit(opened.page, path);
      return opened;
    },
  };
}

/** Resolves when React runs on the page that is shown. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForSelector('html[data-has-hydrated="true"]', { state: 'attached' });
}

/** The value under a key of the storage of the page's origin. */
export function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}

/** Sets the network connection that the browser reports to the page (`navigator.connection`). */
export async function connection(
  page: Page,
  told: { effectiveType: string; saveData: boolean },
): Promise<void> {
  await page.addInitScript((value) => {
    Object.defineProperty(navigator, 'connection', { value });
  }, told);
}

/** Turns data saver on, so that the site loads nothing before it is needed and a test decides when. */
export const withoutPrefetching = (page: Page): Promise<void> =>
  connection(page, { effectiveType: '4g', saveData: true });
