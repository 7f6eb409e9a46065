import { Admin, Producer } from '@platformatic/kafka';
import {
  createRecordFixture,
  createUploadFixture,
  startKafka,
  type RecordFixture,
  type TestKafka,
  type TestPerson,
} from '@redoubt/testkit';
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, openConsole, signIn, type ConsoleFixture } from './console-fixture.ts';

const kafka = await startKafka();

const next = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Continue', exact: true }).click();

describe('imports of topics in the console', { skip: 'missing' in kafka ? kafka.missing : false }, () => {
  const broker = kafka as TestKafka;
  const address = `127.0.0.1:${String(broker.port)}`;
  let house: ConsoleFixture;
  let fixture: RecordFixture;
  let reader: TestPerson;
  let producer: Producer;

  before(async () => {
    house = await openConsole();
    fixture = await createRecordFixture(house.server);
    reader = await fixture.newReader('EU');
    const client = { clientId: 'test', bootstrapBrokers: [address] };
    const admin = new Admin(client);
    await admin.createTopics({ topics: ['positions'], partitions: 1, replicas: 1 });
    await admin.close();
    producer = new Producer(client);
  });
  after(async () => {
    await house.close();
    await producer.close();
    await broker.stop();
  });

  const send = (...values: readonly string[]) =>
    producer.send({
      messages: values.map((value) => ({ topic: 'positions', value: Buffer.from(value) })) as never,
    });
  const openImport = async (datasetId: string): Promise<Page> => {
    const path = `/app/datasets/${datasetId}/import-source`;
    const page = await house.openPage(await house.openContext({ bypassCSP: true }), path);
    await signIn(page, reader);
    await page.getByRole('radio', { name: 'Kafka' }).click();
    await page.getByRole('textbox', { name: 'Brokers' }).fill(address);
    await page.getByRole('combobox', { name: 'Encryption' }).selectOption('off');
    await page.getByRole('textbox', { name: 'Topics' }).fill('positions');
    return page;
  };

  test('messages are previewed and stored under their labels, to the end that they have now', async () => {
    await send('{"flight":"BA1","label":"EU"}', '{"flight":"UA2","label":"US"}', 'no JSON');
    const id = await fixture.dataset(['read', 'write'], { name: 'Positions' });
    const page = await openImport(id);
    await next(page);
    await page.getByRole('cell', { name: 'BA1' }).waitFor();
    await page.getByRole('radio', { name: 'From fields of the records' }).click();
    equal(await page.getByRole('checkbox', { name: 'label' }).isChecked(), true);
    await page.getByText('you will see 1').waitFor();
    // Later messages may have fields that the first ones lack.
    await page.getByRole('textbox', { name: 'Another field' }).fill('access');
    await page.getByRole('textbox', { name: 'Another field' }).press('Enter');
    await page.getByRole('checkbox', { name: 'access' }).uncheck();
    deepEqual(await accessibilityFaults(page), []);
    await next(page);
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('completed').waitFor();
    await page.getByText('1 rejected row').waitFor();
    const uploads = createUploadFixture(fixture, house.server.jobsSettled);
    deepEqual(
      (await uploads.records(id, reader.token)).map(({ flight }) => flight),
      ['BA1'],
    );
    await page.context().close();
  });

  test('an import without an end shows what is left to read until it is canceled', async () => {
    const id = await fixture.dataset(['read', 'write'], { name: 'All positions' });
    const page = await openImport(id);
    await page.getByRole('combobox', { name: 'Runs until' }).selectOption('canceled');
    await next(page);
    await page.getByRole('cell', { name: 'BA1' }).waitFor();
    await next(page);
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('0 messages left to read').waitFor();
    await send('{"flight":"LH3"}');
    await page.getByText('3 records stored · 0 messages left to read').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('canceled', { exact: true }).waitFor();
    await page.context().close();
  });
});
