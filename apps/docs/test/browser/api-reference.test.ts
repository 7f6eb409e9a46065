/* Shows: S-route-/api/-host, L-hazard-host-parameter, R-api-reference-host */
import { routes, findAccessRule, describeRule, type RouteDescriptor } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';

import { hydrated } from '../fixture-pages.ts';
import { builtSite, newContext, serveSite } from '../site.ts';
import { createApiAnswers, startApiServer } from './api-server.ts';
import { inWords, looks, violations, wear } from './looks.ts';
import { slugOf } from '../../plugins/api-reference/reference.ts';

const folder = await builtSite();
const own = createApiAnswers();
const other = await startApiServer();
const third = await startApiServer();
const isCall = (url = '', method = ''): boolean =>
  /^\/(datasets|users)(\/[^/]+)?(\?|$)/.test(url) || method !== 'GET';
const { origin } = await serveSite(folder, {
  before: async (request, response) => {
    if (!isCall(request.url, request.method)) return false;
    await own.take(request, response);
    return true;
  },
});

const emptyPage = '{"total":0,"limit":10,"skip":0,"data":[]}';
const answerJson =
  (text: string) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
  };
beforeEach(() => {
  for (const server of [own, other, third]) {
    server.received.length = 0;
    server.answer(answerJson(emptyPage));
  }
});

/** Opens a page of the reference in a new window. */
const open = async (path: string): Promise<Page> => {
  const page = await (await newContext()).newPage();
  await page.goto(origin + path);
  await hydrated(page);
  await page.getByText('Host and credential').waitFor();
  return page;
};
const callOf = (page: Page, id: string): Locator =>
  page.locator('section', { has: page.locator(`[id="${id}"]`) });
const tryIt = async (page: Page, id: string): Promise<Locator> => {
  const call = callOf(page, id);
  await call.getByRole('button', { name: 'Try it' }).click();
  return call;
};
const send = async (call: Locator): Promise<void> => {
  await call.getByRole('button', { name: 'Send', exact: true }).click();
};
const answered = async (call: Locator): Promise<string> => {
  const status = call.getByRole('status');
  await status
    .getByText(/after|No answer|was not followed|redirect/)
    .first()
    .waitFor();
  return (await status.textContent()) ?? '';
};
const openConnection = async (page: Page): Promise<void> => {
  if (!(await page.getByLabel('Host', { exact: true }).isVisible()))
    await page.getByText('Host and credential').click();
};
const enter = async (page: Page, value: string, { keep = false, kind = 'bearer' } = {}): Promise<void> => {
  await openConnection(page);
  await page.getByLabel('Credential', { exact: true }).selectOption(kind);
  await page.getByLabel(/^For http/).fill(value);
  if (keep) await page.getByLabel('Keep it until this tab is closed').check();
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('button', { name: 'Forget it' }).waitFor();
};
const chooseHost = async (page: Page, host: string): Promise<void> => {
  await openConnection(page);
  await page.getByLabel('Host', { exact: true }).fill(host);
  await page.getByRole('button', { name: 'Use this host' }).click();
};
/** Lists datasets from the page, and returns the requests that the servers received. */
const listDatasets = async (page: Page): Promise<void> => {
  const call = callOf(page, 'listDatasets');
  if ((await call.getByRole('button', { name: 'Send', exact: true }).count()) === 0)
    await tryIt(page, 'listDatasets');
  await send(call);
  await answered(call);
};
const hostOf = (server: string): string => `?host=${encodeURIComponent(server)}`;
const htmlOf = (...path: string[]): string =>
  readFileSync(join(folder, 'api', ...path, 'index.html'), 'utf8');

describe('the API reference', () => {
  test('every call of the contract is readable without JavaScript: path, rule, samples, a recorded answer and its errors', () => {
    const overview = htmlOf();
    for (const route of Object.values(routes) as RouteDescriptor[]) {
      const html = htmlOf(slugOf(route.tag));
      const start = html.search(new RegExp(`aria-labelledby="?${route.operationId}[" >]`));
      assert.ok(start !== -1, route.operationId);
      const call = html.slice(start, html.indexOf('</section>', start)).replaceAll(/<[^>]*>/g, '');
      const decoded = call
        .replaceAll('&#x27;', "'")
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>');
      const rule = findAccessRule(route.operationId);
      for (const part of [
        route.path,
        route.summary,
        rule === undefined ? '' : describeRule(rule),
        'curl',
        'Answer',
      ]) {
        assert.ok(decoded.includes(part), `${route.operationId}: ${part}`);
      }
      assert.match(
        decoded,
        new RegExp(
          `Answer ${route.success.status === 200 && route.redirects !== undefined ? '(200|303)' : route.success.status}`,
        ),
        route.operationId,
      );
      if (route.protocol !== 'oauth2') assert.ok(decoded.includes('InternalServerError'), route.operationId);
      assert.ok(
        new RegExp(`id="?${route.operationId}[" >]`).test(overview),
        `${route.operationId} in the overview`,
      );
    }
  });

  test('the API page and the pages of its calls send less than 400 KB of JavaScript, compressed', async () => {
    for (const path of ['/api/', '/api/users/', '/api/query/']) {
      const context = await newContext();
      const page = await context.newPage();
      const scripts = new Set<string>();
      page.on('response', (response) => {
        if (response.url().endsWith('.js')) scripts.add(response.url());
      });
      await page.goto(origin + path, { waitUntil: 'networkidle' });
      const sizes = await Promise.all(
        [...scripts].map(async (url) => gzipSync(await (await fetch(url)).bytes()).length),
      );
      const total = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(total > 50_000 && total < 400_000, `${path}: ${total} bytes`);
      await context.close();
    }
  });

  test('a host in the address of the API page retargets requests and samples, and is shown as foreign', async () => {
    const page = await open(`/api/datasets/${hostOf(other.origin)}`);
    await page.getByText('which is not the server of this page').waitFor();
    const call = callOf(page, 'listDatasets');
    assert.ok(((await call.textContent()) ?? '').includes(`${other.origin}/datasets`));
    await listDatasets(page);
    assert.deepEqual([own.received.length, other.received.length], [0, 1]);
    assert.match(other.received[0]?.url ?? '', /^\/datasets/);
  });

  test('a host that is no server’s address is explained, and requests stay with the site', async () => {
    const page = await open(`/api/datasets/?host=javascript:alert(1)`);
    const alert = page.getByRole('alert');
    assert.match((await alert.textContent()) ?? '', /javascript:alert\(1\).*http:\/\/ or https:\/\//);
    await listDatasets(page);
    assert.equal(own.received.length, 1);
    await chooseHost(page, `${other.origin}/path`);
    await page.getByText(/must not contain a path/).waitFor();
    await listDatasets(page);
    assert.deepEqual([own.received.length, other.received.length], [2, 0]);
  });

  test('a credential of the API page goes to the server for which it was entered, and to no other', async () => {
    const page = await open('/api/datasets/');
    await enter(page, 'secret-token');
    await listDatasets(page);
    assert.equal(own.received[0]?.authorization, 'Bearer secret-token');
    await chooseHost(page, other.origin);
    await page.getByText('which is not the server of this page').waitFor();
    await listDatasets(page);
    assert.deepEqual([other.received[0]?.authorization, other.received[0]?.apiKey], [undefined, undefined]);
    await page.getByRole('button', { name: 'Back to this server' }).click();
    await listDatasets(page);
    assert.equal(own.received[1]?.authorization, undefined);
    await enter(page, 'a-key', { kind: 'api-key' });
    await listDatasets(page);
    assert.deepEqual([own.received[2]?.authorization, own.received[2]?.apiKey], [undefined, 'a-key']);
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), document.cookie]),
    );
    assert.ok(!/secret-token|a-key/.test(kept), kept);
  });

  test('a link with a host never gets a credential, kept ones neither', async () => {
    const page = await open('/api/datasets/');
    await enter(page, 'secret-token', { keep: true });
    await page.reload();
    await page.getByText(/They carry your bearer token/).waitFor();
    for (const host of [other.origin, origin]) {
      await page.goto(`${origin}/api/datasets/${hostOf(host)}`);
      await hydrated(page);
      await page.getByText('Host and credential').waitFor();
      await listDatasets(page);
    }
    assert.deepEqual(
      [...own.received, ...other.received].map(({ authorization }) => authorization),
      [undefined, undefined],
    );
  });

  test('a redirect that a tried call is answered with is not followed', async () => {
    own.answer((response) => response.writeHead(302, { location: `${third.origin}/datasets` }).end());
    const page = await open('/api/datasets/');
    await enter(page, 'secret-token');
    await tryIt(page, 'listDatasets');
    const call = callOf(page, 'listDatasets');
    await send(call);
    assert.match(await answered(call), /redirect.*not followed/);
    assert.deepEqual([own.received.length, third.received.length], [1, 0]);
  });

  test('a tried call that changes something asks before it is sent', async () => {
    const page = await open('/api/datasets/');
    const call = await tryIt(page, 'deleteDataset');
    await call.getByLabel('id').fill('a/b');
    await send(call);
    const question = page.getByRole('dialog');
    assert.match(
      (await question.textContent()) ?? '',
      /removes something for good.*DELETE http.*\/datasets\/a%2Fb/s,
    );
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(own.received.length, 0);
    await send(call);
    await question.getByRole('button', { name: 'Send DELETE' }).click();
    await answered(call);
    assert.deepEqual(
      own.received.map(({ method, url }) => [method, url]),
      [['DELETE', '/datasets/a%2Fb']],
    );
  });

  test('a body that does not match its schema is not sent, and the page shows the problem', async () => {
    const page = await open('/api/datasets/');
    const call = await tryIt(page, 'createDataset');
    await call.getByLabel(/^Body/).fill('{"name": 7, "other": 1}');
    await send(call);
    const faults = (await call.getByRole('alert').textContent()) ?? '';
    assert.match(faults, /workspaceId is missing/);
    assert.match(faults, /name must be of type string/);
    assert.match(faults, /other is an unknown field/);
    await call.getByLabel(/^Body/).fill('{"name": }');
    await send(call);
    await call.getByText(/is not valid JSON/).waitFor();
    assert.equal(own.received.length, 0);
  });

  test('an answer of a tried call shows status, time and headers, and is cut where it is long', async () => {
    own.answer((response) => {
      response.writeHead(404, { 'content-type': 'application/json', 'x-request-id': 'r-1' });
      response.end(JSON.stringify({ name: 'NotFoundError', text: 'x'.repeat(300 * 1024) }));
    });
    const page = await open('/api/datasets/');
    const call = await tryIt(page, 'listDatasets');
    await call.getByLabel(/^\$limit/).fill('5');
    await call.getByLabel(/^Filters and order/).fill('$sort[name]=1');
    await send(call);
    const text = await answered(call);
    assert.match(text, /^404 after \d+ ms/);
    assert.match(text, /x-request-idr-1/);
    assert.match(text, /the first 256 KiB of a longer answer/);
    assert.deepEqual(
      own.received.map(({ url }) => url),
      ['/datasets?$limit=5&$sort[name]=1'],
    );
  });

  test('calls of the API page are found by words, and are walked by the keyboard', async () => {
    const page = await open('/api/');
    const box = page.getByLabel('Find a call');
    await box.fill('delete dataset permission');
    await page.getByText('1 found').waitFor();
    await box.press('ArrowDown');
    assert.match(
      (await page.evaluate(() => document.activeElement?.getAttribute('href'))) ?? '',
      /#deleteDatasetPermission$/,
    );
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/api/dataset-permissions/#deleteDatasetPermission');
    await page.locator('#deleteDatasetPermission').waitFor();
    await page.keyboard.press('Escape');
  });

  test('the language of samples stays from call to call and from page to page', async () => {
    const page = await open('/api/datasets/');
    await callOf(page, 'listDatasets').getByRole('tab', { name: 'Python' }).click();
    assert.match((await callOf(page, 'getDataset').textContent()) ?? '', /import requests/);
    await page.goto(`${origin}/api/users/`);
    await hydrated(page);
    await page.getByText('import requests').first().waitFor();
  });

  test('axe finds nothing wrong with the API pages, in both modes and widths', async () => {
    for (const path of ['/api/', `/api/datasets/${hostOf(other.origin)}`]) {
      const page = await open(path);
      await openConnection(page);
      if (path !== '/api/') {
        const call = await tryIt(page, 'createDataset');
        await call.getByLabel(/^Body/).fill('{}');
        await send(call);
      }
      for (const look of looks) {
        await wear(page, look);
        assert.deepEqual(await violations(page), [], `${path} ${inWords(look)}`);
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
          `${path} ${inWords(look)}`,
        );
      }
      await page.context().close();
    }
  });
});
