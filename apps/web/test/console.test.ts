import {
  addMember,
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startBrowser } from '@redoubt/testkit/browser';
import { startServer, type TestServer } from '@redoubt/server/testing';
import axe from 'axe-core';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '../building/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'redoubt-console-'));
let server: TestServer;
let browser: Browser;
let fixture: RecordFixture;
/** A member who holds EU and may read the dataset. */
let reader: TestPerson;
let dataset: string;
/** What browsers complained about: errors, violations of the policy, requests to other hosts. */
const complaints: string[] = [];

before(async () => {
  await buildConsole(join(folder, 'build'));
  server = await startServer({ consoleFolder: join(folder, 'build') });
  browser = await startBrowser();
  fixture = await createRecordFixture(server);
  reader = await fixture.newReader('EU');
  dataset = await fixture.dataset(['read'], { name: 'Notams' });
  const records = [
    { note: 'open to all', priority: 0, empty: '', missing: null, big: 1, label: '' },
    { note: 'for Europe alone', priority: 9, label: 'EU' },
    { note: '<img src=x onerror=alert(1)>', priority: 1, label: '' },
  ];
  bodyOf(200, await fixture.write(dataset, records, { labelInfo: labelField }));
});
after(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const openContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.on('request', (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`request to ${request.url()}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const [target] = event.composedPath();
      // When selected text is typed over, the browser itself puts a style on the line of the editor.
      if (target instanceof Element && target.matches('.cm-line')) return;
      const where = target instanceof Element ? target.outerHTML.slice(0, 200) : '';
      console.error(`policy: ${event.effectiveDirective} ${event.blockedURI} ${where}`);
    });
  });
  return context;
};

const openPage = async (context: BrowserContext, path = '/app/'): Promise<Page> => {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser itself reports each response of 400 and more; violations of the policy come from the listener.
    if (
      message.type() === 'error' &&
      !/^(Failed to load resource|Applying inline style)/.test(message.text())
    )
      complaints.push(message.text());
  });
  await page.goto(`${server.url}${path}`);
  return page;
};

const signIn = async (page: Page, { email, password }: TestPerson): Promise<void> => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // The button of the account stands on every page of a workspace.
  await page.locator('header button').waitFor();
};

/** The faults that axe finds on a page, a line each. */
const accessibilityFaults = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: run } = window as unknown as { axe: typeof axe };
    const { violations } = await run.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    );
  });
};

const cells = (page: Page) => page.getByRole('gridcell').allInnerTexts();

describe('the console', () => {
  test('a newcomer signs up, creates a workspace and a dataset, and comes back after a reload', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await page.getByRole('button', { name: 'Create one' }).click();
    await page.getByLabel('First name').fill('Zoe');
    await page.getByLabel('Last name').fill('Doe');
    await page.getByLabel('Email').fill('zoe@console.example');
    await page.getByLabel('Password').fill('a long password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Name of a new workspace').fill('Field notes');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByText('No datasets yet').waitFor();
    await page.getByRole('button', { name: 'New dataset' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Runways');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Runways' }).waitFor();
    await page.getByText('No records that you see', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Runways' }).waitFor();
    await context.close();
  });

  test('a wrong password shows the message of the server', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await page.getByLabel('Email').fill(reader.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    match(await page.getByRole('alert').innerText(), /password/);
    await context.close();
  });

  test('two people see different records of one dataset, and markup in records stays text', async () => {
    const context = await openContext();
    const page = await openPage(context, `/app/datasets/${dataset}`);
    await signIn(page, fixture.workspace.admin);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    await page.getByText('2 records that you see').waitFor();
    const forAdmin = await cells(page);
    ok(forAdmin.includes('<img src=x onerror=alert(1)>'), forAdmin.join(' | '));
    ok(!(await page.content()).includes('for Europe alone'));
    const other = await openContext();
    const theirs = await openPage(other);
    await signIn(theirs, reader);
    await theirs.goto(`${server.url}/app/datasets/${dataset}`);
    await theirs.getByText('3 records that you see').waitFor();
    ok((await cells(theirs)).includes('for Europe alone'));
    await context.close();
    await other.close();
  });

  test('after a sign-out the next person in the browser finds nothing of the one before', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    await page.getByText('for Europe alone').waitFor();
    await page.locator('header button').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    equal((await context.cookies()).length, 0);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    ok(!/Europe|session/i.test(stored.replaceAll('mui-', '')), stored);
    await signIn(page, fixture.workspace.admin);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    await page.getByText('2 records that you see').waitFor();
    ok(!(await page.content()).includes('for Europe alone'));
    await context.close();
  });

  test('a search in Lucene is in the address, and an error of its grammar is shown', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    await page.getByLabel('Search in Lucene').fill('priority:[5 TO *]');
    await page.keyboard.press('Enter');
    await page.getByText('1 matches').waitFor();
    match(page.url(), /q=priority/);
    await page.goBack();
    await page.getByText('3 records', { exact: true }).waitFor();
    await page.getByLabel('Search in Lucene').fill('priority:[5 TO');
    await page.keyboard.press('Enter');
    match(
      await page.getByRole('alert').innerText(),
      /This search cannot be read[\s\S]*LuceneParseError \(400\)/,
    );
    await context.close();
  });

  test('SQL runs the statement at the cursor, and says where a statement fails', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/sql`);
    const editor = page.getByLabel('SQL', { exact: true });
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('SELECT 41 AS one; SELECT count(*) AS seen FROM "Notams"');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^1 row · /).waitFor();
    deepEqual(await cells(page), ['3']);
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('SELECT nope FROM "Notams"');
    await page.keyboard.press('Control+Enter');
    match(await page.getByRole('alert').innerText(), /nope[\s\S]*SqlParseError \(400\)/);
    await context.close();
  });

  test('a dataset that is hidden and one that does not exist are the same page', async () => {
    const context = await openContext();
    const stranger = await addMember(server, fixture.workspace);
    const page = await openPage(context);
    await signIn(page, stranger);
    await page.getByText('No datasets yet').waitFor();
    const texts: string[] = [];
    for (const id of [dataset, '00000000-0000-4000-8000-000000000000']) {
      await page.goto(`${server.url}/app/datasets/${id}`);
      await page.getByText('There is no such dataset').waitFor();
      texts.push(await page.locator('main').innerText());
    }
    equal(texts[0], texts[1]);
    await context.close();
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`axe finds no accessibility problem on any page in the ${scheme} scheme`, async () => {
      // axe itself sets style attributes.
      const context = await openContext({ colorScheme: scheme, bypassCSP: true });
      const page = await openPage(context);
      await page.getByLabel('Email').waitFor();
      deepEqual(await accessibilityFaults(page), [], 'sign in');
      await signIn(page, reader);
      for (const [path, text] of [
        ['/app/datasets', 'Notams'],
        [`/app/datasets/${dataset}`, 'open to all'],
        [`/app/datasets/${dataset}?tab=fields`, 'priority'],
        [`/app/datasets/${dataset}?tab=code`, 'Write records'],
        ['/app/sql', 'No result yet'],
      ] as const) {
        await page.goto(`${server.url}${path}`);
        await page.getByText(text).first().waitFor();
        deepEqual(await accessibilityFaults(page), [], path);
      }
      await context.close();
    });
  }

  test('no page breaks its policy, fails in a script or sends a request to another host', () => {
    deepEqual(complaints, []);
  });
});
