/* Shows: L16, R-web-screens, A-console-access, A-console-retry */
import {
  addMember,
  bodyOf,
  createRecordFixture,
  labelField,
  sendRequest,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accessibilityFaults, cells, openConsole, signIn, type ConsoleFixture } from './console-fixture.ts';

let house: ConsoleFixture;
let server: ConsoleFixture['server'];
let openContext: ConsoleFixture['openContext'];
let openPage: ConsoleFixture['openPage'];
let fixture: RecordFixture;
/** A member who holds EU and may read the dataset. */
let reader: TestPerson;
let dataset: string;

before(async () => {
  house = await openConsole();
  ({ server, openContext, openPage } = house);
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
  await house.close();
});

describe('the console', () => {
  test('a newcomer signs up, creates a workspace and a dataset, and comes back after a reload', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await page.getByRole('button', { name: 'Create one' }).click();
    await page.locator('[name="firstName"]:focus').waitFor();
    await page.getByLabel('First name').fill('Zoe');
    await page.getByLabel('Last name').fill('Doe');
    await page.getByLabel('Email').fill('zoe@console.example');
    await page.getByLabel('Password').fill('a long password');
    await page.getByRole('button', { name: 'Create account' }).click();
    // Another workspace has this name.
    await page.getByLabel('Name of a new workspace').fill(fixture.workspace.id);
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

  test('pages name an icon of this server, so that browsers look for no other', async () => {
    const context = await openContext();
    const page = await openPage(context);
    const address = await page.locator('link[rel="icon"]').evaluate((link: HTMLLinkElement) => link.href);
    const response = await page.request.get(address);
    deepEqual([response.status(), response.headers()['content-type']], [200, 'image/svg+xml']);
    await page.evaluate(async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
    }, address);
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
    await page.getByRole('gridcell', { name: 'open to all' }).waitFor();
    const forAdmin = await cells(page);
    ok(forAdmin.includes('<img src=x onerror=alert(1)>'), forAdmin.join(' | '));
    ok(!(await page.content()).includes('for Europe alone'));
    const other = await openContext();
    const theirs = await openPage(other);
    await signIn(theirs, reader);
    await theirs.goto(`${server.url}/app/datasets/${dataset}`);
    await theirs.getByRole('gridcell', { name: 'open to all' }).waitFor();
    ok((await cells(theirs)).includes('for Europe alone'));
    await context.close();
    await other.close();
  });

  test('after a sign-out the next person in the browser finds nothing of the one before', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    await page.getByRole('gridcell', { name: 'for Europe alone' }).waitFor();
    await page.locator('header button[aria-haspopup="menu"]').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    equal((await context.cookies()).length, 0);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    ok(!/Europe|session/i.test(stored.replaceAll('mui-', '')), stored);
    await signIn(page, fixture.workspace.admin);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    await page.getByRole('gridcell', { name: 'open to all' }).waitFor();
    ok(!(await page.content()).includes('for Europe alone'));
    await context.close();
  });

  test('a session that is over ends the page, whichever call finds out', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    await page.getByRole('gridcell', { name: 'for Europe alone' }).waitFor();
    // A request for charts must not be the one that finds out.
    await page.waitForLoadState('networkidle');
    await context.clearCookies();
    await page.getByLabel('Search in Lucene').fill('Europe');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    equal(page.url(), `${server.url}/app/`);
    ok(!(await page.content()).includes('Europe'));
    await context.close();
  });

  test('a page that the browser kept for its Back button is loaded again', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    const secret = page.getByRole('gridcell', { name: 'for Europe alone' });
    await secret.waitFor();
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
    await secret.waitFor({ state: 'hidden' });
    await context.clearCookies();
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  test('a search in Lucene is in the address, and an error of its grammar is shown', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/datasets/${dataset}`);
    await page.getByLabel('Search in Lucene').fill('priority:[5 TO *]');
    await page.keyboard.press('Enter');
    await page.getByText('1 match', { exact: true }).waitFor();
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

  test('the records page marks what a search matched, in the grid and on a phone', async () => {
    const context = await openContext();
    const page = await openPage(
      context,
      `/app/datasets/${dataset}?q=${encodeURIComponent('"for europe" OR open')}`,
    );
    await signIn(page, reader);
    await page.getByRole('gridcell').locator('mark').nth(1).waitFor();
    deepEqual((await page.locator('mark').allInnerTexts()).toSorted(), ['for Europe', 'open']);
    // A matched column that is out of view is named, and shown on demand.
    await page.setViewportSize({ width: 620, height: 800 });
    await page.getByRole('button', { name: 'in note' }).click();
    await page.locator('[data-active="true"] mark').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('ol mark', { hasText: 'for Europe' }).waitFor();
    await context.close();
  });

  test('the search over all datasets marks what the server matched, and nothing else', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    const marksOf = async (search: string): Promise<string[]> => {
      await page.goto(`${server.url}/app/search?q=${encodeURIComponent(search)}`);
      await page.getByRole('status').filter({ hasText: '1 match in 1 dataset' }).waitFor();
      return page.locator('mark').allInnerTexts();
    };
    deepEqual(await marksOf('Europe'), ['Europe']);
    deepEqual(await marksOf('"for europe" NOT asia'), ['for Europe']);
    deepEqual(await marksOf('eur?pe OR (alone AND asia)'), ['Europe']);
    await context.close();
  });

  test('a search that finds nothing names the wildcards', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/search?q=Europ`);
    await page.getByText('name:Lon*').waitFor();
    await context.close();
  });

  test('a hit of the search opens its record in the dataset, beside the others', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, reader);
    await page.goto(`${server.url}/app/search?q=${encodeURIComponent('priority:[0 TO 9]')}`);
    const hits = page.getByRole('region', { name: 'Notams' }).getByRole('listitem');
    const [first, second] = [hits.nth(0), hits.nth(1)];
    const noteOf = async (hit: typeof first): Promise<string> =>
      hit.locator('dt:has-text("note") + dd').innerText();
    const notes = [await noteOf(first), await noteOf(second)] as const;
    equal(await second.getByText('_koverse').count(), 0);
    // A click anywhere on the hit follows its link.
    await second.click();
    const panel = page.getByRole('complementary', { name: 'Record' });
    await panel.getByText(notes[1], { exact: true }).waitFor();
    match(page.url(), /\/app\/datasets\/[^?]+\?.*record=/);
    await page.getByRole('button', { name: 'Record above (k)' }).click();
    await panel.getByText(notes[0], { exact: true }).waitFor();
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

  test('an upload whose sending failed is tried again from the tray, and stored once', async () => {
    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, fixture.workspace.admin);
    await page.goto(`${server.url}/app/datasets/new`);
    const file = {
      name: 'winds.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('station,knots\nA,5\nB,7\n'),
    };
    await page.getByLabel('Files', { exact: true }).setInputFiles(file);
    await page.getByRole('table', { name: 'First rows' }).waitFor();
    await page.route('**/uploads', (route) => route.abort());
    await page.getByRole('button', { name: 'Import 1 file' }).click();
    await page.getByText('failed', { exact: true }).waitFor();
    await page.unroute('**/uploads');
    await page.getByRole('button', { name: 'Try the upload to winds again' }).press('Enter');
    await page.getByText('2 records stored').waitFor();
    await context.close();
  });

  test('who manages a dataset grants it to a group and withdraws it by keyboard, and others see only their own groups', async () => {
    const pilot = await addMember(server, fixture.workspace, 'member', 'pilot');
    const { id: groupId } = await fixture.call<{ id: string }>(201, 'POST', '/groups', {
      body: { name: 'Night crew', workspaceId: fixture.workspace.id },
    });
    const member = { groupId, userId: pilot.id, role: 'member' };
    await fixture.call(201, 'POST', '/group-memberships', { body: member });
    const statusFor = async ({ token }: TestPerson): Promise<number> =>
      (await sendRequest(server, 'GET', `/datasets/${dataset}`, { token })).status;
    equal(await statusFor(pilot), 404);

    const context = await openContext();
    const page = await openPage(context);
    await signIn(page, fixture.workspace.admin);
    await page.goto(`${server.url}/app/datasets/${dataset}?tab=access`);
    const groups = page.getByRole('table', { name: 'Groups with access' });
    await groups.getByRole('link', { name: 'Readers' }).waitFor();
    await page.getByLabel('Group to grant the dataset to').focus();
    await page.keyboard.type('Night');
    await page.keyboard.press('Tab');
    await page.keyboard.type('write');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await groups.getByRole('row', { name: /Night crew write/ }).waitFor();
    const people = page.getByRole('table', { name: 'People with access' });
    await people.getByRole('row', { name: /Pilot\d* Example write Night crew/ }).waitFor();
    await people.getByRole('row', { name: /Admin\d* Example manage as its owner, as an admin/ }).waitFor();
    equal(await statusFor(pilot), 200);

    const other = await openContext();
    const theirs = await openPage(other);
    await signIn(theirs, reader);
    await theirs.goto(`${server.url}/app/datasets/${dataset}?tab=access`);
    await theirs.getByRole('row', { name: 'Readers read' }).waitFor();
    await theirs.getByRole('table', { name: 'People with access' }).waitFor();
    const text = await theirs.locator('main').innerText();
    ok(!/Night crew|Pilot|Withdraw|Grant/.test(text), text);
    await other.close();

    await page.getByRole('button', { name: 'Withdraw write from Night crew' }).press('Enter');
    await groups.getByRole('row', { name: /Night crew/ }).waitFor({ state: 'hidden' });
    equal(await statusFor(pilot), 404);
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
        [`/app/datasets/${dataset}?tab=access`, 'Readers'],
        ['/app/sql', 'No result yet'],
      ] as const) {
        await page.goto(`${server.url}${path}`);
        await page.getByText(text).locator('visible=true').first().waitFor();
        deepEqual(await accessibilityFaults(page), [], path);
      }
      await context.close();
    });
  }

  test('no page breaks its policy, fails in a script or sends a request to another host', () => {
    deepEqual(house.complaints, []);
  });
});
