import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import {
  accessibilityFaults,
  signIn,
  signOut,
  openConsole,
  type ConsoleFixture,
  type Credentials,
} from './console-fixture.ts';

let rig: ConsoleFixture;
before(async () => {
  rig = await openConsole();
});
after(() => rig.close());

const ada: Credentials = { email: 'ada@story.example', password: 'a password of Ada' };
const ben: Credentials = { email: 'ben@story.example', password: 'a password of Ben' };

const flights = {
  name: 'flights.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    'flight,altitude,access\nZX100,35000,\nZX200,37000,REGION:EU\nZX300,39000,REGION:EU&CREW\nZX400,1,A&\n',
  ),
};

/** Signs up with a new workspace, by clicks that are counted. */
const signUpByClicks = async (page: Page, { email, password }: Credentials, workspace: string) => {
  let clicks = 0;
  const click = async (role: 'button' | 'link' | 'radio', name: string | RegExp): Promise<void> => {
    clicks += 1;
    await page.getByRole(role, { name }).click();
  };
  await click('button', 'Create one');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await click('button', 'Create account');
  await page.getByLabel('Name of a new workspace').fill(workspace);
  await click('button', 'Create workspace');
  return { click, count: () => clicks };
};

const flightsSeen = async (page: Page): Promise<string[]> =>
  (await page.getByRole('gridcell').allInnerTexts()).filter((text) => text.startsWith('ZX')).toSorted();

const openDataset = async (page: Page, name: string): Promise<void> => {
  await page.goto(`${rig.server.url}/app/datasets`);
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name }).waitFor();
};

describe('two people, from a file on the desk to different records', () => {
  let adas: BrowserContext;
  let page: Page;
  let link = '';

  before(async () => {
    adas = await rig.openContext();
    page = await rig.openPage(adas);
  });
  after(() => adas.close());

  test('from an empty server to an answer about an own file takes at most twelve clicks', async () => {
    const { click, count } = await signUpByClicks(page, ada, 'Flight desk');
    await click('link', 'Import files');
    await page.getByLabel('Files', { exact: true }).setInputFiles(flights);
    await page.getByRole('table', { name: 'First rows' }).waitFor();
    await click('radio', 'From columns of the file');
    await page.getByText('1 rejected').or(page.getByText('left out')).first().waitFor();
    await click('button', 'Import 1 file');
    await page.getByRole('heading', { name: 'flights' }).waitFor();
    await page.getByText('done').or(page.getByText('partial')).waitFor();
    await click('link', 'Query in SQL');
    await page.getByLabel('SQL', { exact: true }).click();
    await page.keyboard.press('Control+Enter');
    // Nobody holds an attribute yet, so the answer has no rows, for Ada neither.
    await page.getByText('The statement gives no rows').waitFor();
    ok(count() + 1 <= 12, `${String(count() + 1)} clicks`);
  });

  test('the uploads stay in view on other pages, and the receipt says why rows are left out', async () => {
    await page.getByRole('region', { name: 'Uploads' }).waitFor();
    await page.getByRole('link', { name: 'Receipt' }).click();
    await page.getByRole('heading', { name: 'Import into flights' }).waitFor();
    await page.getByRole('table', { name: 'Files' }).waitFor();
    await page.getByText('Rows that are left out by label have no valid label').waitFor();
    match(await page.getByRole('table', { name: 'Files' }).innerText(), /flights\.csv/);
  });

  test('Ada invites Ben, who has no account yet', async () => {
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByText('Only you so far').waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email').fill(ben.email);
    await page.getByLabel('Role').selectOption('admin');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    link = await page.getByLabel('Link').inputValue();
    match(link, /\/app\/invite#[\w-]{43}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Open invitations' }).getByText(ben.email).waitFor();
    ok(!(await page.content()).includes(link.split('#')[1] ?? ''), 'the token is shown once');
  });

  test('Ben accepts by keyboard alone, and each gives the other an attribute', async () => {
    const bens = await rig.openContext();
    const theirs = await rig.openPage(bens, new URL(link).pathname + new URL(link).hash);
    await theirs.getByRole('heading', { name: 'Join Flight desk' }).waitFor();
    await theirs.getByLabel('First name').waitFor();
    for (const text of ['Ben', 'Bay', ben.password]) {
      await theirs.keyboard.type(text);
      await theirs.keyboard.press('Tab');
    }
    await theirs.keyboard.press('Enter');
    await theirs.getByRole('heading', { name: 'Datasets' }).waitFor();
    ok(!theirs.url().includes('#'), 'the token has left the address');
    await theirs.getByRole('link', { name: 'People' }).click();
    await theirs.getByRole('link', { name: 'Ada Lovelace' }).click();
    await theirs.getByLabel('Attribute to give').selectOption({ label: 'REGION:EU' });
    await theirs.getByRole('button', { name: 'Give' }).click();
    await theirs.getByRole('table', { name: 'Attributes' }).getByText('REGION:EU').first().waitFor();

    await page.goto(`${rig.server.url}/app/attributes`);
    await page.getByRole('button', { name: 'Give REGION:EU' }).click();
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'Ben Bay' });
    await page.getByRole('dialog').getByRole('button', { name: 'Give' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Give CREW' }).click();
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'Ben Bay' });
    await page.getByRole('dialog').getByRole('button', { name: 'Give' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await openDataset(page, 'flights');
    await page.getByText('ZX200').first().waitFor();
    deepEqual(await flightsSeen(page), ['ZX200']);
    await openDataset(theirs, 'flights');
    await theirs.getByText('ZX300').first().waitFor();
    deepEqual(await flightsSeen(theirs), ['ZX200', 'ZX300']);
    await bens.close();
  });

  test('an attribute is deleted after a question that says what this means', async () => {
    await page.goto(`${rig.server.url}/app/attributes`);
    await page.getByRole('button', { name: 'New attribute' }).click();
    await page.getByLabel('Token').fill('REGOIN:EU');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Delete REGOIN:EU' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the attribute REGOIN:EU?' });
    await question.getByText('stay hidden from everybody').waitFor();
    await question.getByRole('button', { name: 'Keep it' }).click();
    await question.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Delete REGOIN:EU' }).click();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete REGOIN:EU' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Delete REGION:EU' }).waitFor();
  });

  test('Ada makes Ben a member and an admin again, and the last admin reads why they stay one', async () => {
    const openPerson = async (name: string): Promise<void> => {
      await page.goto(`${rig.server.url}/app/people`);
      await page.getByRole('link', { name }).click();
    };
    const makeMember = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Make member' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Make member' }).click();
    };
    await openPerson('Ben Bay');
    await makeMember();
    await page.getByText(`${ben.email} · member`).waitFor();
    await openPerson('Ada Lovelace');
    await makeMember();
    match(await page.getByRole('alert').innerText(), /no admin left. Make another person an admin first/);
    await openPerson('Ben Bay');
    await page.getByRole('button', { name: 'Make admin' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make Ben Bay an admin?' });
    await dialog.getByRole('button', { name: 'Make admin' }).click();
    await page.getByText(`${ben.email} · admin`).waitFor();
  });

  test('Ben after Ada in the same browser: nothing of what only Ben sees is left for Ada', async () => {
    const context = await rig.openContext();
    const shared = await rig.openPage(context);
    await signIn(shared, ben);
    await openDataset(shared, 'flights');
    const filters = JSON.stringify([{ field: 'flight', operator: 'is', values: ['ZX300'] }]);
    const secretUrl = `${shared.url()}?q=CREW&filters=${encodeURIComponent(filters)}`;
    await shared.goto(secretUrl);
    await shared.getByRole('button', { name: 'Remove the filter on flight' }).waitFor();
    await shared.goto(`${rig.server.url}/app/jobs`);
    const second = await rig.openPage(context, secretUrl.slice(rig.server.url.length));
    await second.getByRole('button', { name: 'Remove the filter on flight' }).waitFor();
    await signOut(shared);
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    for (const left of [shared, second]) {
      equal(new URL(left.url()).pathname + new URL(left.url()).search, '/app/');
      ok(!/ZX|flights|Ben|CREW/.test(await left.content()));
    }
    const kept = await shared.evaluate(async () =>
      JSON.stringify([localStorage, sessionStorage, await indexedDB.databases(), await caches.keys()]),
    );
    ok(!/ZX|flights|Ben/.test(kept), kept);
    // The Back button leads to a page that Ben left.
    await shared.goBack();
    await shared.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(shared, ada);
    await shared.getByRole('gridcell').first().waitFor();
    ok(!/ZX300|CREW/.test(shared.url() + (await shared.content())), shared.url());
    await second.getByRole('button', { name: 'Ada Lovelace' }).waitFor();
    await openDataset(shared, 'flights');
    await shared.getByText('ZX200').first().waitFor();
    deepEqual(await flightsSeen(shared), ['ZX200']);
    ok(!(await shared.content()).includes('ZX300'));
    await context.close();
  });

  test('a label is completed and checked while one types it, by keyboard alone', async () => {
    await page.goto(`${rig.server.url}/app/datasets/new`);
    await page.getByLabel('Files', { exact: true }).setInputFiles(flights);
    await page.getByRole('table', { name: 'First rows' }).waitFor();
    await page.getByRole('radio', { name: 'No label' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('the label is not complete yet').waitFor();
    const submit = page.getByRole('button', { name: 'Import 1 file' });
    equal(await submit.isDisabled(), true);
    const label = page.getByLabel('Label of all rows');
    // While a slow server still reads the file for an earlier choice, it refuses further previews.
    let refusals = 1;
    await page.route('**/uploads/preview', async (route) => {
      const refusal = { name: 'ForbiddenError', message: 'You have too many previews running.', code: 429 };
      if (refusals === 0) await route.continue();
      else {
        refusals -= 1;
        await route.fulfill({ status: 429, json: refusal });
      }
    });
    await page.keyboard.press('Tab');
    await page.keyboard.type('reg');
    await page.getByRole('option', { name: 'REGION:EU' }).waitFor();
    await page.keyboard.press('Enter');
    equal(await label.inputValue(), 'REGION:EU');
    await page.getByText('4 stored · you will see 4').waitFor();
    await page.keyboard.type('&(');
    await page.getByText('At character 12: expected an attribute').first().waitFor();
    equal(await submit.isDisabled(), true);
    await page.keyboard.type('crew|nobody)');
    await page.getByText('4 stored · you will see 0').waitFor();
    await page.getByText('No attribute has this name yet: NOBODY.').waitFor();
    ok(!(await page.getByText('you see it').count()));
    equal(await submit.isDisabled(), false);
    await page.goto(`${rig.server.url}/app/attributes`);
    await page.getByText('CREW').first().waitFor();
    ok(!(await page.content()).includes('NOBODY'), 'a preview creates no attribute');
  });

  test('files are dropped into a dataset, and an admin sees how many people will see each row', async () => {
    await openDataset(page, 'flights');
    await page.getByRole('link', { name: 'Import files' }).click();
    const files = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'more.csv', { type: 'text/csv' }));
      return transfer;
    }, flights.buffer.toString());
    await page.getByText('Drop files here').dispatchEvent('drop', { dataTransfer: files });
    await page.getByRole('table', { name: 'First rows' }).waitFor();
    await page.getByRole('radio', { name: 'From columns of the file' }).click();
    await page.getByRole('columnheader', { name: 'Readers' }).waitFor();
    await page.getByText('hidden from you').first().waitFor();
    const region = page.getByRole('row').filter({ hasText: 'ZX200' });
    match((await region.innerText()).replaceAll(/\s+/g, ' '), /you see it 2 REGION:EU/);
    const crew = page.getByRole('row').filter({ hasText: 'ZX300' });
    match((await crew.innerText()).replaceAll(/\s+/g, ' '), /hidden from you 1 CREW&REGION:EU/);
    await page.getByLabel('A row without a valid label').selectOption('ignore');
    await page.getByText('Everyone who may read the dataset sees rows without a label').waitFor();
  });

  test('an upload that is canceled while it is sent stores nothing', async () => {
    await page.route('**/uploads', () => undefined);
    await page.getByRole('button', { name: 'Import 1 file' }).click();
    await page.getByText('sending').waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was stored.').waitFor();
    await page.unroute('**/uploads');
    await openDataset(page, 'flights');
    await page.getByText('ZX200').first().waitFor();
    deepEqual(await flightsSeen(page), ['ZX200']);
  });

  test('a group gets a member and a dataset, and loses both again', async () => {
    await page.goto(`${rig.server.url}/app/groups`);
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Dispatch');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Dispatch' }).waitFor();
    await page.getByLabel('Dataset to grant').waitFor();
    await page.getByLabel('Person or group to add').waitFor();
    deepEqual(await page.locator('main .MuiButton-contained').allInnerTexts(), ['Add']);
    await page.getByLabel('Person or group to add').selectOption({ label: 'Ben Bay' });
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Remove Ben Bay' }).waitFor();
    await page.getByLabel('Dataset to grant').selectOption({ label: 'flights' });
    await page.getByRole('button', { name: 'Grant' }).click();
    await page.getByRole('button', { name: 'Withdraw read of flights' }).click();
    await page.getByText('None. Members may read').waitFor();
    await page.getByRole('button', { name: 'Remove Ben Bay' }).click();
    await page.getByRole('button', { name: 'Remove Ben Bay' }).waitFor({ state: 'hidden' });
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`axe finds no fault on the pages of imports and people in the ${scheme} scheme`, async () => {
      // axe itself sets style attributes.
      const context = await rig.openContext({ colorScheme: scheme, bypassCSP: true });
      const invitation = await rig.openPage(context, '/app/invite#unknown');
      await invitation.getByText('This invitation is not valid').waitFor();
      deepEqual(await accessibilityFaults(invitation), [], 'invitation');
      const one = await rig.openPage(context);
      await signIn(one, ada);
      for (const [path, text] of [
        ['/app/people', 'Ben Bay'],
        ['/app/groups', 'Dispatch'],
        ['/app/attributes', 'REGION:EU'],
        ['/app/datasets/new', 'Drop files here'],
      ] as const) {
        await one.goto(`${rig.server.url}${path}`);
        await one.getByText(text).first().waitFor();
        deepEqual(await accessibilityFaults(one), [], path);
      }
      await one.getByLabel('Files', { exact: true }).setInputFiles(flights);
      await one.getByRole('table', { name: 'First rows' }).waitFor();
      await one.getByRole('radio', { name: 'From columns of the file' }).click();
      await one.getByText('hidden from you').first().waitFor();
      deepEqual(await accessibilityFaults(one), [], 'preview');
      await context.close();
    });
  }

  test('no page breaks its policy, fails in a script or sends a request to another host', () => {
    deepEqual(rig.complaints, []);
  });
});
