/* Shows: R-web-screens */
import type { Dataset, Job, SourcePreview } from '@redoubt/contract';
import { createRecordFixture, pythonWith, type RecordFixture, type TestPerson } from '@redoubt/testkit';
import { deepEqual, equal, match } from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, openConsole, signIn, type ConsoleFixture } from './console-fixture.ts';

const python = await pythonWith();
const skip = 'missing' in python ? python.missing : false;
const examples = join(import.meta.dirname, '../../../examples/connectors');

describe('imports from sources in the console', () => {
  let house: ConsoleFixture;
  let fixture: RecordFixture;
  let reader: TestPerson;
  let host: Server;
  let address: string;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'redoubt-connectors-'));
    house = await openConsole({
      connectors: {
        sqlite: ['command' in python ? python.command : '', join(examples, 'sqlite_connector.py'), folder],
      },
    });
    fixture = await createRecordFixture(house.server);
    reader = await fixture.newReader('EU');
    host = createServer((request, response) => {
      if (request.url?.startsWith('/ports.csv') === true)
        response.end('code,name,access\nHAM,Hamburg,EU\nNYC,New York,US\n');
      else if (request.url?.startsWith('/notices.html') === true)
        response
          .setHeader('Content-Disposition', 'attachment; filename="notices.html"')
          .end('<h1>Notices</h1><p>Runway 05 is closed.</p>');
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}`;
  });
  after(async () => {
    await house.close();
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const openAs = async (path: string): Promise<Page> => {
    const page = await house.openPage(await house.openContext({ bypassCSP: true }), path);
    await signIn(page, reader);
    return page;
  };

  test('rows of an address are previewed with their labels, and stored under them', async () => {
    const id = await fixture.dataset(['read', 'write'], { name: 'Ports' });
    const page = await openAs(`/app/datasets/${id}`);
    await page.getByRole('link', { name: 'Import from a source' }).click();
    await page.getByRole('textbox', { name: 'Addresses' }).fill(`${address}/ports.csv`);
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('cell', { name: 'Hamburg' }).waitFor();
    await page.getByRole('radio', { name: 'From columns of the file' }).click();
    await page.getByText('1 hidden from you').or(page.getByText('hidden from you')).first().waitFor();
    await page.getByText('you will see 1').waitFor();
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('radio', { name: /^Replace records with the same key/ }).click();
    equal(await page.getByRole('button', { name: 'Start the import' }).isDisabled(), true);
    await page.getByRole('checkbox', { name: 'code' }).click();
    deepEqual(await accessibilityFaults(page), []);
    // The form is sent by the keyboard as well.
    await page.getByRole('checkbox', { name: 'code' }).press('Enter');
    await page.getByText('completed').waitFor();
    match((await page.getByRole('row', { name: /ports\.csv/ }).textContent()) ?? '', /ports\.csv.*2.*2/);
    await page.getByRole('link', { name: 'Open dataset' }).click();
    await page.getByRole('gridcell', { name: 'Hamburg' }).waitFor();
    equal(await page.getByRole('gridcell', { name: 'New York' }).count(), 0);
    await page.context().close();
  });

  test('an import of very many files shows them page by page, with its newest segments first', async () => {
    const id = await fixture.dataset(['read', 'write'], { name: 'Many ports' });
    const job = await fixture.call<Job>(202, 'POST', '/ingest?isAsync=true', {
      token: reader.token,
      body: {
        workspaceId: fixture.workspace.id,
        datasetId: id,
        securityLabeled: false,
        dataSourceParams: {
          type: 'URL',
          connectionInfo: { urls: [1, 2, 3].map((n) => ({ url: `${address}/ports.csv?part=${n}` })) },
        },
      },
    });
    await house.server.jobsSettled();
    const page = await openAs('/app/datasets');
    // Pages of two files instead of a hundred.
    await page.route('**/jobs/*/receipt?*', async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('$limit', '2');
      await route.continue({ url: url.toString() });
    });
    await page.route('**/segments?*', async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('$limit', '2');
      await route.continue({ url: url.toString() });
    });
    for (const [path, table] of [
      ['imports', 'Files'],
      ['jobs', 'Receipt'],
    ] as const) {
      await page.goto(`${house.server.url}/app/${path}/${job.id}`);
      const rows = page.getByRole('table', { name: table }).locator('tbody tr');
      await page.getByText('2 of 3 files').waitFor();
      equal(await rows.count(), 2);
      await page.getByRole('button', { name: 'Show more files' }).click();
      await rows.nth(2).waitFor();
      equal(await page.getByRole('button', { name: 'Show more files' }).count(), 0);
    }
    await page.getByText('The newest 2 of 3 segments').waitFor();
    await page.context().close();
  });

  test('files of an address are stored as documents under one label, which the last step repeats', async () => {
    const id = await fixture.dataset(['read', 'write'], { name: 'Notices' });
    const page = await openAs(`/app/datasets/${id}/import-source`);
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    const addresses = ['notices.html', 'notices.html?of=tomorrow'].map((name) => `${address}/${name}`);
    await page.getByRole('textbox', { name: 'Addresses' }).fill(addresses.join('\n'));
    await next.click();
    await page.getByText('2 files will be read, the first one is shown:').waitFor();
    // The name of the file tells that it is a document.
    const asDocuments = page.getByRole('checkbox', { name: 'Store as documents' });
    await page.getByText('Each page becomes a record').waitFor();
    await page.getByRole('region', { name: 'First pages' }).getByText('Runway').waitFor();
    equal(await asDocuments.isChecked(), true);
    equal(await page.getByRole('radio', { name: 'From columns of the file' }).count(), 0);
    await page.getByRole('radio', { name: 'One label for all rows' }).click();
    await page.getByLabel('Label of all rows').fill('EU');
    await page.getByText('You will see these records.').waitFor();
    await page.getByRole('combobox', { name: 'Languages of scans and pictures' }).selectOption('French');
    await page.getByRole('button', { name: 'Remove French' }).waitFor();
    deepEqual(await accessibilityFaults(page), []);
    await next.click();
    await page.getByText('one for each page of a document').waitFor();
    equal(await page.getByRole('radio', { name: /with the same key/ }).count(), 0);
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('completed').waitFor();
    const jobs = await fixture.call<{ data: Job[] }>(200, 'GET', `/jobs?datasetId=${id}`, {
      token: reader.token,
    });
    deepEqual(jobs.data[0]?.config?.['ocrLanguages'], ['fra']);
    await page.goto(`${house.server.url}/app/datasets/${id}?tab=documents`);
    await page.getByRole('link', { name: 'notices.html, page 1' }).nth(1).waitFor();
    await page.context().close();
  });

  test('what is wrong stands at its field, and a host that cannot be read comes back to the fields', async () => {
    const id = await fixture.dataset(['read', 'write']);
    const page = await openAs(`/app/datasets/${id}/import-source`);
    const next = page.getByRole('button', { name: 'Continue' });
    await next.click();
    await page.getByText('Type the addresses.').waitFor();
    equal(
      await page
        .getByRole('textbox', { name: 'Addresses' })
        .evaluate((input) => input === document.activeElement),
      true,
    );
    await page
      .getByRole('textbox', { name: 'Addresses' })
      .fill(`${address}/ports.csv\nftp://example.org/a.csv`);
    await next.click();
    await page.getByText(/^Line 2: /).waitFor();
    await page.getByRole('textbox', { name: 'Addresses' }).fill(`${address}/absent.csv`);
    await next.click();
    await page
      .getByRole('alert')
      .getByText(/absent\.csv: .* answered 404/)
      .waitFor();
    await page.getByRole('radio', { name: /^S3 bucket/ }).click();
    equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('textbox', { name: 'Region' }).fill('Wrong region');
    await page.getByRole('textbox', { name: 'Bucket' }).fill('a-bucket');
    await next.click();
    await page.getByText(/^Must be the name of a region/).waitFor();
    // The message of the server with the path of the property is not repeated above the form.
    equal(await page.getByRole('alert').count(), 0);
    await page.context().close();
    deepEqual(house.complaints, []);
  });

  test('the last step repeats an import on a schedule, which runs by hand, pauses and has a history', async () => {
    const id = await fixture.dataset(['read', 'write'], { name: 'Daily ports' });
    const page = await openAs(`/app/datasets/${id}/import-source`);
    await page.getByRole('textbox', { name: 'Addresses' }).fill(`${address}/ports.csv`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('cell', { name: 'Hamburg' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('radio', { name: 'On a schedule' }).click();
    // This server has no SMTP, which the option says before anything is sent.
    await page.getByText('This server sends no mail').waitFor();
    equal(await page.getByRole('checkbox', { name: 'Send me a mail when a run fails' }).isDisabled(), true);
    await page.getByLabel('Time zone').fill('Europe/Nowhere');
    await page.getByText('Type the name of a time zone').first().waitFor();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByRole('combobox', { name: 'Repeats' }).selectOption('weekly');
    await page.getByLabel('At', { exact: true }).fill('06:30');
    match((await page.getByRole('list', { name: 'Next times' }).textContent()) ?? '', /Mon.*06:30/);
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Create the schedule' }).click();

    await page.getByText('Mondays at 06:30 (Europe/Berlin)').waitFor();
    await page.getByText('It has not run yet.').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('row', { name: /run by hand.*completed/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByRole('row', { name: /Daily ports.*paused/ }).waitFor();
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('link', { name: 'Daily ports' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No schedules yet').waitFor();
    await page.context().close();
    deepEqual(house.complaints, []);
  });

  test('a schedule stores a stream of a connector, and then only what was added', { skip }, async () => {
    const database = new DatabaseSync(join(folder, 'shop.db'));
    database.exec("create table orders (item text); insert into orders values ('tea'), ('rice')");
    const id = await fixture.dataset(['read', 'write'], { name: 'Orders' });
    const page = await openAs(`/app/datasets/${id}/import-source`);
    await page.getByRole('radio', { name: /^Connector/ }).click();
    await page.getByRole('textbox', { name: 'Stream' }).fill('orders');
    await page.getByRole('combobox', { name: 'Each run reads' }).selectOption('changed');
    const settings = page.getByRole('textbox', { name: 'Settings of the connector' });
    await settings.fill('{"file": ');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Write it as a JSON object').waitFor();
    await settings.fill('{"file": "shop.db"}');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Choose the connector.').waitFor();
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('combobox', { name: 'Connector', exact: true }).selectOption('sqlite');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('cell', { name: 'rice' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('sqlite · orders').waitFor();
    await page.getByRole('radio', { name: 'On a schedule' }).click();
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    for (const stored of [2, 3]) {
      await page.getByRole('button', { name: 'Run now' }).click();
      const runs = page.getByRole('row', { name: /run by hand.*completed/ });
      await runs.nth(stored - 2).waitFor();
      const { recordCount } = await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`);
      equal(recordCount, stored);
      database.exec("insert into orders values ('salt')");
    }
    database.close();
    await page.context().close();
    deepEqual(house.complaints, []);
  });

  test('an import of topics without an end cannot be put on a schedule', async () => {
    const id = await fixture.dataset(['read', 'write'], { name: 'Positions' });
    const page = await openAs(`/app/datasets/${id}/import-source`);
    // No broker is there to preview: only the step after it matters here.
    await page.route('**/ingest/preview', (route) =>
      route.fulfill({
        json: {
          format: 'ndjson',
          encoding: 'utf-8',
          dialect: null,
          columns: null,
          sourceColumns: null,
          fileOptions: {},
          rows: [],
          error: null,
          files: ['positions'],
          hasMoreFiles: false,
        } satisfies SourcePreview,
      }),
    );
    await page.getByRole('radio', { name: 'Kafka' }).click();
    await page.getByRole('textbox', { name: 'Brokers' }).fill('kafka.example.org:9093');
    await page.getByRole('textbox', { name: 'Topics' }).fill('positions');
    for (const [until, isDisabled] of [
      ['canceled', true],
      ['end', false],
    ] as const) {
      await page.getByRole('combobox', { name: 'Runs until' }).selectOption(until);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      const repeated = page.getByRole('radio', { name: 'On a schedule' });
      equal(await repeated.isDisabled(), isDisabled, until);
      equal(await page.getByText('A scheduled import of topics must end').count(), isDisabled ? 1 : 0);
      deepEqual(await accessibilityFaults(page), []);
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByRole('button', { name: 'Back' }).click();
    }
    await page.context().close();
    deepEqual(house.complaints, []);
  });

  test('a stored connection is tested, shared and used, and never shows its secrets', async () => {
    const page = await openAs('/app/connections/new');
    await page.getByRole('button', { name: 'Create and test' }).click();
    await page.getByText('Type a name.').waitFor();
    await page.getByLabel('Name').fill('Port authority');
    await page.getByRole('radio', { name: /^Web addresses/ }).click();
    await page.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Bearer of-the-host');
    await page.getByLabel('Address prefixes').fill(`${address}/`);
    await page.getByRole('combobox', { name: 'Minimum label' }).fill('EU');
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Create and test' }).click();
    await page.getByText(/^The source works/).waitFor();
    const group = page.getByRole('combobox', { name: 'Group' });
    await group.locator('option').nth(1).waitFor({ state: 'attached' });
    await group.selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: /^Withdraw from/ }).waitFor();
    deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('checkbox', { name: 'Replace the connection details' }).click();
    equal(await page.getByRole('textbox', { name: 'Headers' }).inputValue(), '');
    await page.getByRole('button', { name: 'Cancel' }).click();
    equal((await page.content()).includes('of-the-host'), false);

    const id = await fixture.dataset(['read', 'write'], { name: 'Stored ports' });
    await page.goto(`${house.server.url}/app/datasets/${id}/import-source`);
    await page.getByRole('combobox', { name: 'Stored connection' }).selectOption('Port authority');
    await page.getByText('Every record gets EU in addition to its own label.').waitFor();
    equal(await page.getByRole('textbox', { name: 'Headers' }).count(), 0);
    await page.getByRole('textbox', { name: 'Addresses' }).fill(`${address}/ports.csv`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('cell', { name: 'Hamburg' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('completed').waitFor();
    await page.goto(`${house.server.url}/app/connections`);
    await page.getByRole('link', { name: 'Port authority' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No connections yet').waitFor();
    await page.context().close();
    deepEqual(house.complaints, []);
  });
});
