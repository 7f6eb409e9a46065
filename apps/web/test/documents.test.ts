import { makeDocx, makeMail, makePdf } from '@redoubt/file-formats/testing';
import type { Job } from '@redoubt/contract';
import { createRecordFixture, createUploadFixture, onePagePdf, type RecordFixture } from '@redoubt/testkit';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, openConsole, signIn, type ConsoleFixture } from './console-fixture.ts';

const notice = '# Runway 09 closed\n\nUntil Friday.';
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const choose = (page: Page, chosen: ReturnType<typeof file>): Promise<void> =>
  page.getByLabel('Files', { exact: true }).setInputFiles(chosen);

describe('documents in the console', () => {
  let house: ConsoleFixture;
  let fixture: RecordFixture;

  before(async () => {
    house = await openConsole();
    fixture = await createRecordFixture(house.server);
  });
  after(() => house.close());

  const openAs = async (person: { email: string; password: string }, path: string): Promise<Page> => {
    const page = await house.openPage(await house.openContext({ bypassCSP: true }), path);
    await signIn(page, person);
    return page;
  };

  test('a dropped document becomes a record for each page, and its file is downloaded from the record', async () => {
    const reader = await fixture.newReader('NIGHT');
    const page = await openAs(reader, '/app/datasets/new');
    await choose(page, file('notice.md', notice));
    await page.getByText('Each page becomes a record').waitFor();
    await page.getByRole('region', { name: 'First pages' }).getByText('Runway 09 closed').waitFor();
    await page.getByText('TEXT, 1 page', { exact: true }).waitFor();
    equal(await page.getByRole('checkbox', { name: 'Store as documents' }).isChecked(), true);
    equal(await page.getByRole('radio', { name: 'From columns of the file' }).count(), 0);

    await page.getByRole('radio', { name: 'One label for all rows' }).click();
    await page.getByLabel('Label of all rows').fill('DAY');
    await page.getByText('You will not see these records').waitFor();
    await page.getByLabel('Label of all rows').fill('NIGHT');
    await page.getByText('You will see these records').waitFor();
    const languages = page.getByRole('combobox', { name: 'Languages of scans and pictures' });
    equal(await languages.locator('option:checked').innerText(), 'Those of the server: English');
    for (const language of ['French', 'English']) await languages.selectOption(language);
    equal(await languages.isDisabled(), true);
    await page.getByRole('button', { name: 'Remove English' }).click();
    deepEqual(await accessibilityFaults(page), []);

    await page.getByRole('button', { name: 'Import 1 file' }).click();
    await page.getByText('1 record stored').waitFor();
    const datasetId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const jobs = await fixture.call<{ data: Job[] }>(200, 'GET', `/jobs?datasetId=${datasetId}`, {
      token: reader.token,
    });
    deepEqual(jobs.data[0]?.config?.['ocrLanguages'], ['fra']);
    await page.getByRole('gridcell', { name: 'notice.md' }).dblclick();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the file' }).click(),
    ]);
    equal(download.suggestedFilename(), 'notice.md');
    equal(readFileSync(await download.path(), 'utf8'), notice);
    await page.context().close();
  });

  test('a preview follows the chosen document, and says which one cannot be read', async () => {
    const page = await openAs(fixture.workspace.admin, '/app/datasets/new');
    const pages = page.getByRole('region', { name: 'First pages' });
    const whole = Buffer.from(makePdf(['Runway closed', '']));
    await choose(page, { ...file('whole.pdf', ''), buffer: whole });
    await pages.getByText('Runway closed').waitFor();
    await pages.getByText('No text yet.').waitFor();
    await page.getByText('PDF, 2 pages').waitFor();
    await choose(page, { ...file('cut.pdf', ''), buffer: whole.subarray(0, 60) });
    await page.getByRole('button', { name: 'cut.pdf', exact: true }).click();
    await page.getByText('This file cannot be read').waitFor();
    await page.getByText(/^cut\.pdf: /).waitFor();
    equal(await pages.count(), 0);
    // The text of a picture is found by the import.
    await choose(page, file('a.png', 'not sent'));
    await page.getByRole('button', { name: 'a.png', exact: true }).click();
    await page.getByText('This file cannot be read').waitFor({ state: 'hidden' });
    await page.getByText('The text of pictures and scans is recognised.').waitFor();
    await page.context().close();
  });

  test('tables and documents are told apart by their names, and the person can decide otherwise', async () => {
    const page = await openAs(fixture.workspace.admin, '/app/datasets/new');
    await choose(page, file('rows.csv', 'a,access\n1,X\n'));
    await page.getByRole('table', { name: 'First rows' }).waitFor();
    const switched = page.getByRole('checkbox', { name: 'Store as documents' });
    equal(await switched.isChecked(), false);
    await page.getByRole('radio', { name: 'From columns of the file' }).click();
    await switched.check();
    // A choice of columns must not turn into no label.
    await page.getByText('Choose one label for all pages, or none.').waitFor();
    equal(await page.getByRole('button', { name: 'Import 1 file' }).isDisabled(), true);
    await page.context().close();
  });

  test('records of a JSON file get their labels from fields, which the first ones can lack', async () => {
    const reader = await fixture.newReader('NIGHT');
    const page = await openAs(reader, '/app/datasets/new');
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`n${n}`, n])));
    await choose(
      page,
      file('flights.ndjson', `${many}\n{"n":1}\n{"n":2,"access":"NIGHT"}\n{"n":3,"access":"DAY"}\n`),
    );
    await page.getByRole('radio', { name: 'From fields of the records' }).click();
    equal(await page.getByRole('checkbox', { name: 'access' }).isChecked(), true);
    await page.getByText('you will see 1').waitFor();
    const other = page.getByRole('textbox', { name: 'Another field' });
    const isCut = await other.evaluate((input) => {
      const group = input.closest('[role=group]');
      return group === null || group.scrollHeight > group.clientHeight;
    });
    equal(isCut, false, 'the field does not scroll with the list of the others');
    await other.fill('later');
    await page.getByRole('button', { name: 'Add' }).click();
    equal(await other.inputValue(), '');
    await page.getByRole('checkbox', { name: 'later' }).uncheck();
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Import 1 file' }).click();
    await page.getByText('2 records stored').waitFor();
    await page.getByText('2 left out by label').waitFor();
    await page.context().close();
  });

  test('a document among tables is explained, and a file without rows has no table', async () => {
    const page = await openAs(fixture.workspace.admin, '/app/datasets/new');
    await choose(page, file('rows.csv', 'a,b\n'));
    await page.getByText('CSV, no rows').waitFor();
    equal(await page.getByRole('table', { name: 'First rows' }).count(), 0);
    await choose(page, file('notice.pdf', onePagePdf));
    await page.getByRole('button', { name: 'notice.pdf', exact: true }).click();
    await page.getByText('documents are imported apart from tables').waitFor();
    equal(await page.getByRole('link', { name: 'What errors mean' }).getAttribute('target'), '_blank');
    await page.context().close();
  });

  test('rejected rows are told apart from others, and their reasons are a click away from the job', async () => {
    await fixture.dataset([], { name: 'Taken' });
    const page = await openAs(fixture.workspace.admin, '/app/datasets/new');
    await choose(page, file('rows.csv', `a,b\n1,2\n${'long '.repeat(100)},2,3,4\n`));
    const row = page.getByRole('row').filter({ hasText: 'rejected' });
    await row.waitFor();
    const reason = await row.locator('td').last().locator('div').boundingBox();
    ok(reason !== null && reason.width <= 560, JSON.stringify(reason));
    await page.getByLabel('Name of the dataset').fill('Taken');
    await page.getByText('You have a dataset with this name').waitFor();
    await page.getByLabel('Name of the dataset').fill('Rows');
    await page.getByText('You have a dataset with this name').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Import 1 file' }).click();
    await page.getByText('1 record stored · 1 rejected').waitFor();
    await page.goto(`${house.server.url}/app/jobs`);
    await page.getByRole('table').getByRole('link', { name: 'Import files' }).first().click();
    await page.getByRole('link', { name: 'Show the rejected rows' }).click();
    await page.getByRole('table', { name: 'Rejected rows' }).waitFor();
    await page.getByRole('heading', { name: 'Import into Rows' }).waitFor();
    await page.context().close();
  });

  test('a dataset without records says that an import runs to those who may see the job, and shows what it stores', async () => {
    const reader = await fixture.newReader();
    const id = await fixture.dataset(['read', 'write'], { name: 'Arrivals' });
    const { db, jobsSettled } = house.server;
    const uploads = createUploadFixture(fixture, jobsSettled);
    const { jobId } = await uploads.upload(id, { 'arrivals.csv': 'flight\n' }, {}, reader.token);
    const setStatus = (status: 'completed' | 'running') =>
      db.updateTable('jobs').set({ status }).where('id', '=', jobId).execute();
    await setStatus('running');
    const page = await openAs(reader, `/app/datasets/${id}`);
    // A busy server takes longer to read rows than the console waits between two looks at the job.
    await page.route(/\/rows$/, async (route) => {
      await setTimeout(3000);
      await route.continue();
    });
    await page.getByText('An import is running').waitFor();
    equal(await page.getByRole('link', { name: 'Open the job' }).getAttribute('href'), `/app/jobs/${jobId}`);
    const other = await openAs(await fixture.newReader(), `/app/datasets/${id}`);
    await other.getByText('No records that you see').waitFor();
    equal(await other.getByText('import is running').count(), 0);
    await fixture.write(id, [{ flight: 'ZX100' }]);
    await page.getByRole('gridcell', { name: 'ZX100' }).waitFor();
    await setStatus('completed');
    await page.context().close();
    await other.context().close();
  });

  test('a server without connectors does not offer them as a source', async () => {
    const id = await fixture.dataset(['read', 'write']);
    const page = await openAs(fixture.workspace.admin, `/app/datasets/${id}/import-source`);
    await page.getByRole('radio', { name: /^S3/ }).waitFor();
    equal(await page.getByRole('radio', { name: /^Connector/ }).count(), 0);
    await page.context().close();
  });

  test('the reader of a mail links to its attachments, and each of them back to the mail', async () => {
    const id = await fixture.dataset(['read', 'write', 'manage']);
    const mail = makeMail('Plan', [
      { name: 'plan.pdf', content: makePdf(['Runway plan']) },
      { name: 'old.doc', content: Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1') },
    ]);
    const uploads = createUploadFixture(fixture, house.server.jobsSettled);
    await uploads.upload(id, { 'notice.eml': mail }, { processAsDocument: 'true' });
    const page = await openAs(fixture.workspace.admin, `/app/datasets/${id}?tab=documents`);
    await page.getByRole('link', { name: /notice\.eml/ }).click();
    const related = page.getByRole('navigation', { name: 'Documents that belong together' });
    await related.getByRole('link', { name: 'old.doc' }).click();
    await page.getByText(/The text could not be read: .*before 2007/).waitFor();
    await related.getByRole('link', { name: 'notice.eml' }).click();
    await related.getByRole('link', { name: 'plan.pdf' }).click();
    await page.getByRole('heading', { name: 'plan.pdf' }).waitFor();
    await page.getByRole('img', { name: 'Picture of page 1' }).waitFor();
    deepEqual(await accessibilityFaults(page), []);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the file' }).click(),
    ]);
    equal(download.suggestedFilename(), 'plan.pdf');
    await page.context().close();
  });

  test('a record that only claims to be of a document has no file', async () => {
    const id = await fixture.dataset(['read', 'write', 'manage']);
    await fixture.write(id, [{ document_id: 'made up', text: 'forged' }]);
    const page = await openAs(fixture.workspace.admin, `/app/datasets/${id}`);
    await page.getByRole('gridcell', { name: 'forged' }).dblclick();
    await page.getByRole('button', { name: 'Download the file' }).click();
    await page.getByText('You cannot open the file of this document').waitFor();
    await page.context().close();
  });

  test('documents are cards, and the reader marks the words of a search on the picture of the page', async () => {
    const reader = await fixture.newReader('NIGHT');
    const id = await fixture.dataset(['read', 'write'], { name: 'Notices' });
    const uploads = createUploadFixture(fixture, house.server.jobsSettled);
    const files = { 'runway.pdf': onePagePdf, 'notice.md': notice };
    await uploads.upload(id, files, { processAsDocument: 'true' }, reader.token);
    await house.server.jobsSettled();

    const page = await openAs(reader, `/app/datasets/${id}`);
    await page.getByRole('tab', { name: 'Documents' }).click();
    await page.getByText('2 documents').waitFor();
    deepEqual(await accessibilityFaults(page), []);
    // A picture that is wider than its card shows where its lines begin.
    equal(
      await page
        .locator('li img')
        .first()
        .evaluate((image) => getComputedStyle(image).objectPosition),
      '0% 0%',
    );
    await page.getByLabel('Search the pages').fill('runway');
    await page.keyboard.press('Enter');
    await page.getByText('2 matching pages').waitFor();
    await page.getByRole('link', { name: 'runway.pdf, page 1' }).click();
    const picture = page.getByRole('img', { name: 'Picture of page 1' });
    await picture.waitFor();
    const mark = page.locator('[data-mark]');
    await mark.waitFor();
    equal(await page.locator('mark').textContent(), 'Runway');
    const [image, marked] = [await picture.boundingBox(), await mark.boundingBox()];
    ok(image !== null && marked !== null);
    // The word stands at 20 of 120 points from the left, and at the baseline 20 of 60 points from below.
    ok(Math.abs((marked.x - image.x) / image.width - 20 / 120) < 0.05);
    ok(Math.abs((marked.y + marked.height - image.y) / image.height - 40 / 60) < 0.15);
    deepEqual(await accessibilityFaults(page), []);
    await page.getByLabel('Search the pages').fill('absent');
    await page.keyboard.press('Enter');
    await page.getByText('No match on this page').waitFor();
    equal(await mark.count(), 0);
    await page.getByLabel('Search the pages').fill('text:[');
    await page.keyboard.press('Enter');
    await page.getByText('The search cannot be read').waitFor();
    await page.goto(`${house.server.url}/app/datasets/${id}/documents/none`);
    await page.getByText('There is no such page').waitFor();
    await page.context().close();
    deepEqual(house.complaints, []);
  });

  test('a hit of the search over all datasets opens the page of its document', async () => {
    const reader = await fixture.newReader('NIGHT');
    const id = await fixture.dataset(['read', 'write'], { name: 'Charts' });
    const uploads = createUploadFixture(fixture, house.server.jobsSettled);
    const files = { 'chart.pdf': makePdf(['Holding pattern', 'Glidepath of the zebra']) };
    await uploads.upload(id, files, { processAsDocument: 'true' }, reader.token);
    const page = await openAs(reader, '/app/search?q=zebra');
    await page.getByRole('link', { name: 'Open page' }).click();
    await page.getByText('Page 2 · you see 2 pages').waitFor();
    equal(await page.locator('mark').textContent(), 'zebra');
    await page.context().close();
  });

  test('the pages of a document are turned by buttons and keys, by a link to one of them, and zoomed, also on a phone', async () => {
    const reader = await fixture.newReader('NIGHT');
    const id = await fixture.dataset(['read', 'write'], { name: 'Manuals' });
    const uploads = createUploadFixture(fixture, house.server.jobsSettled);
    const files = {
      'manual.pdf': makePdf(['Taxiing\nbefore the runway', 'Take-off', 'Landing on the runway']),
      'letter.docx': await makeDocx(['Dear pilot,', 'the runway is closed.']),
    };
    await uploads.upload(id, files, { processAsDocument: 'true' }, reader.token);
    await house.server.jobsSettled();

    const page = await openAs(reader, `/app/datasets/${id}?tab=documents&q=landing`);
    await page.getByRole('link', { name: 'manual.pdf, page 3' }).click();
    await page.getByText('Page 3 · you see 3 pages').waitFor();
    equal(await page.getByRole('button', { name: 'Next page' }).isDisabled(), true);
    await page.locator('[data-mark]').waitFor();
    const link = page.url();

    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByRole('img', { name: 'Picture of page 2' }).waitFor();
    await page.getByRole('region', { name: 'Text of the page' }).getByText('Take-off').waitFor();
    equal(await page.locator('mark').count(), 0);
    // Two pages at once, faster than the server answers.
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.getByText('Landing on the runway').waitFor();
    equal(page.url(), link);
    await page.goBack();
    await page.getByText('Take-off').waitFor();

    await page.goto(link);
    const picture = page.getByRole('img', { name: 'Picture of page 3' });
    const fitting = (await picture.boundingBox())?.width ?? 0;
    await page.keyboard.press('+');
    await page.getByText('150 %').waitFor();
    ok(Math.abs(((await picture.boundingBox())?.width ?? 0) / fitting - 1.5) < 0.01);
    const mark = await page.locator('[data-mark]').boundingBox();
    const [image, top] = [await picture.boundingBox(), 50 / 792];
    ok(mark !== null && image !== null);
    ok(Math.abs((mark.y - image.y) / image.height - (42 - 10) / 792) < top);
    deepEqual(await accessibilityFaults(page), []);

    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Zoom out' }).click();
    equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.goto(`${house.server.url}/app/datasets/${id}?tab=documents`);
    await page.getByRole('link', { name: 'letter.docx, page 1' }).click();
    await page.getByText('the runway is closed.').waitFor();
    equal(await page.getByRole('img').count(), 0);
    equal(await page.getByText('There is no picture').count(), 0);
    equal(await page.getByRole('button', { name: 'Next page' }).isDisabled(), true);
    await page.goto(link.replace('page=3', 'page=4'));
    await page.getByText('There is no such page').waitFor();
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByText('2 documents').waitFor();
    await page.context().close();
    deepEqual(house.complaints, []);
  });
});
