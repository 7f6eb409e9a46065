import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { finishSite } from '@redoubt/site-files';
import { builtSite, page as openPage, type PageOptions } from '../site.ts';

const pageTypes = [
  '/',
  '/docs/intro/',
  '/docs/category/datasets/',
  '/docs/reference/sql/',
  '/api/',
  '/search/?q=label',
  '/markdown-page/',
  '/no/such/page/',
];

describe('the site on the server', () => {
  let folder: string;
  let server: TestServer;
  /** What the content security policy has blocked: page, directive and blocked content. */
  let violations: string[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'redoubt-served-'));
    cpSync(await builtSite(), folder, { recursive: true });
    await finishSite(folder, { inputs: 'test', baseUrl: '/', origins: {} });
    server = await startServer({ docsFolder: folder });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const openWithRequests = async (
    path: string,
    options: Omit<PageOptions, 'origin'> = {},
  ): Promise<{ page: Page; foreign: readonly string[]; visit: (path: string) => Promise<void> }> => {
    const { page, foreign, complaints } = await openPage({ origin: server.url, ...options });
    violations = [];
    await page.exposeFunction('noteViolation', (text: string) => violations.push(text));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const { noteViolation } = window as unknown as { noteViolation: (text: string) => void };
        noteViolation(
          `${location.pathname}: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`,
        );
      });
    });
    const visit = async (next: string): Promise<void> => {
      await page.goto(`${server.url}${next}`);
      await page.locator('html[data-has-hydrated="true"]').waitFor({ state: 'attached' });
      deepEqual(foreign, []);
      deepEqual(
        complaints.filter((text) => /content security policy/i.test(text)).map((text) => text.slice(-200)),
        [],
      );
    };
    await visit(path);
    return { page, foreign, visit };
  };
  const open = async (path: string, options: Omit<PageOptions, 'origin'> = {}): Promise<Page> =>
    (await openWithRequests(path, options)).page;

  test('no type of page breaks its content security policy, neither when it is loaded nor after a switch of its colours', async () => {
    const { page, visit } = await openWithRequests('/');
    for (const path of pageTypes) {
      await page.evaluate(() => localStorage.clear());
      await visit(path);
      const title = await page.title();
      ok(title.length > 3, path);
      equal(title.startsWith('Page Not Found'), path.startsWith('/no/'), path);
      await page.locator('html[data-theme="light"]').waitFor({ state: 'attached' });
      await page
        .getByRole('button', { name: /^Switch between dark and light mode/ })
        .first()
        .click();
      await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
      deepEqual(violations, [], path);
    }
    await page.context().close();
  });

  test('an address that begins with two slashes does not lead to another host', async () => {
    for (const path of ['//host.example/index.html', '/\\host.example/page.html']) {
      const page = await open(path);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      equal(new URL(page.url()).origin, server.url);
      await page.context().close();
    }
  });

  test('on the server, readers can navigate and search, and the content security policy blocks nothing', async () => {
    const page = await open('/docs/intro/');
    await page.getByRole('link', { name: 'API', exact: true }).first().click();
    await page.waitForURL('**/api/');
    await page.goBack();
    await page.waitForURL('**/docs/intro/');
    await page.keyboard.press('Control+K');
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().fill('label');
    await page.getByRole('option').first().waitFor();
    deepEqual(violations, []);
    await page.context().close();
  });

  test('readers who open the API reference from another page can try calls on another host', async () => {
    const other = 'https://data.example.org';
    const { page, foreign } = await openWithRequests('/docs/intro/');
    const refused = await page.evaluate(
      (address) => fetch(address).then(String, () => 'refused'),
      `${other}/health`,
    );
    equal(refused, 'refused');
    while (violations.length === 0) await setTimeout(20);
    deepEqual(foreign, []);
    violations.length = 0;
    await page.getByRole('link', { name: 'API', exact: true }).first().click();
    await page.locator('main a[href="/api/system/#getHealth"]').first().click();
    await page.waitForURL('**/api/system/#getHealth');
    await page.getByText('Host and credential').click();
    await page.getByLabel('Host', { exact: true }).fill(other);
    await page.getByRole('button', { name: 'Use this host' }).click();
    await page.waitForURL(`**/api/system/?host=${encodeURIComponent(other)}#getHealth`);
    const call = page.locator('section[aria-labelledby="getHealth"]');
    await call.getByRole('button', { name: 'Try it' }).click();
    const asked = page.waitForRequest(`${other}/health`);
    await call.getByRole('button', { name: 'Send' }).click();
    await asked;
    deepEqual(violations, []);
    await page.context().close();
  });

  test('a doc page leads to itself as Markdown, and is copied as such', async () => {
    const page = await open('/docs/intro/', { permissions: ['clipboard-read', 'clipboard-write'] });
    const link = page.getByRole('link', { name: 'View as Markdown' });
    equal(await link.getAttribute('href'), '/docs/intro.md');
    const answer = await fetch(`${server.url}/docs/intro.md`);
    match(answer.headers.get('content-type') ?? '', /^text\/markdown/);
    const text = await answer.text();
    match(text, /^# /);
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    equal(await page.evaluate(() => navigator.clipboard.readText()), text);
    deepEqual(violations, []);
    await page.context().close();
  });

  test('every page of the documentation is there as Markdown and named in llms.txt', async () => {
    const list = await (await fetch(`${server.url}/llms.txt`)).text();
    const links = [...list.matchAll(/\]\((\/docs\/\S+\.md)\): \S/g)].map(([, link]) => link ?? '');
    const sitemap = await (await fetch(`${server.url}/sitemap.xml`)).text();
    const pages = [...sitemap.matchAll(/<loc>[^<]*?(\/docs\/[^<]*)<\/loc>/g)]
      .map(([, path]) => path ?? '')
      .filter((path) => !path.startsWith('/docs/category/') && !/^\/docs\/(tags\/.*)?$/.test(path));
    ok(pages.length > 20);
    const expected = pages.map((path) => `${path.slice(0, -1)}.md`);
    deepEqual(
      expected.filter((path) => !links.includes(path)),
      [],
    );
    for (const path of links) equal((await fetch(`${server.url}${path}`)).status, 200, path);
    const whole = await (await fetch(`${server.url}/llms-full.txt`)).text();
    ok(links.every((link) => whole.includes(`<!-- ${link.slice(0, -3)}/ -->`)));
  });
});
