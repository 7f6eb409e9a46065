import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { makePdf } from '@redoubt/file-formats/testing';
import { manualPages, type FilledWorkspace } from './fill-workspace.ts';

/** A page or a state of one, as it is photographed. */
export interface Shot {
  name: string;
  /** Who looks; nobody is signed in without. */
  as?: 'ada' | 'guest' | 'newcomer';
  path: string;
  /** What happens before the page is opened, such as a server that does not answer. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Brings the page into the state. */
  act: (page: Page) => Promise<unknown>;
}

/** Rows with a label column, of which one row is rejected. */
const flights = {
  name: 'flights 2026-11.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'flight,origin,destination,altitude_ft,delayed,remark,access',
      ...Array.from({ length: 40 }, (_, n) =>
        [
          `ZX${String(100 + n * 7)}`,
          ['EDDF', 'LFPG', 'RJTT', 'KJFK'][n % 4],
          ['EGLL', 'OMDB', 'YSSY'][n % 3],
          n % 8 === 0 ? '' : String(29_000 + n * 250),
          String(n % 5 === 0),
          n % 6 === 0 ? '"Diverted, fuel low"' : 'Umgeleitet wegen Gewitter über dem Zielflughafen',
          n === 12 ? 'REGION:&' : ['', 'REGION:EU', 'REGION:AS&REGION:EU', 'REGION:AF'][n % 4],
        ].join(','),
      ),
    ].join('\n'),
  ),
};

/** A manual whose last page is a scan. */
const manual = {
  name: 'ground operations.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(makePdf([...manualPages, ''])),
};

const cell = (page: Page) => page.getByRole('gridcell').first().waitFor();
/** The charts in the headings of columns, which narrow screens do not have. */
const charts = async (page: Page): Promise<void> => {
  if ((page.viewportSize()?.width ?? 0) >= 900) await page.locator('.grid-head g').first().waitFor();
  await page.waitForLoadState('networkidle');
};
export const text = (wanted: RegExp | string) => (page: Page) => page.getByText(wanted).first().waitFor();
const heading = (name: RegExp | string) => (page: Page) => page.getByRole('heading', { name }).waitFor();

const showPreview = async (page: Page): Promise<void> => {
  await page.getByLabel('Files', { exact: true }).setInputFiles(flights);
  await page.getByRole('table', { name: 'First rows' }).waitFor();
  await page.getByRole('radio', { name: 'From columns of the file' }).click();
  await page.getByText('hidden from you').first().waitFor();
};

/** Serves a file, as another host would, until the process ends. */
const serve = async ({ name, buffer }: typeof flights): Promise<string> => {
  const host = createServer((_request, response) => response.end(buffer));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  host.unref();
  return `http://127.0.0.1:${String((host.address() as AddressInfo).port)}/${encodeURIComponent(name)}`;
};

const showSourceRows = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'Addresses' }).fill(await serve(flights));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'From columns of the file' }).click();
  await page.getByText('hidden from you').first().waitFor();
};

const marked = async (page: Page): Promise<void> => {
  // On wide screens the columns with matches may be out of view; phones show the matched fields first.
  if ((page.viewportSize()?.width ?? 0) >= 600) await page.getByRole('button', { name: /^in / }).click();
  await page.locator('mark').first().waitFor();
};

const showSourceDocuments = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'Addresses' }).fill(await serve(manual));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('region', { name: 'First pages' }).waitFor();
};

const showDocuments = async (page: Page): Promise<void> => {
  await page.getByLabel('Files', { exact: true }).setInputFiles(manual);
  await page.getByRole('radio', { name: 'One label for all rows' }).click();
  await page.getByLabel('Label of all rows').fill('REGION:AS');
  await page.getByText('You will not see these records').waitFor();
  await page.getByRole('region', { name: 'First pages' }).waitFor();
};

const showTopics = async (page: Page): Promise<void> => {
  await page.getByRole('radio', { name: 'Kafka' }).click();
  await page.getByRole('textbox', { name: 'Brokers' }).fill('kafka.example.org:9093');
  await page.getByRole('combobox', { name: 'Sign-in' }).selectOption('SCRAM-SHA-256');
  await page.getByRole('textbox', { name: 'Topics' }).fill('positions');
};

const showChanges = async (page: Page): Promise<void> => {
  await page.getByRole('radio', { name: 'SQL Server' }).click();
  await page.getByRole('textbox', { name: 'Table' }).fill('customers');
  await page.getByRole('combobox', { name: 'Each run reads' }).selectOption('changed');
  await page.getByRole('textbox', { name: 'Column that grows' }).fill('version');
  await page.getByRole('textbox', { name: 'Columns that tell' }).fill('id');
};

const showConnector = async (page: Page): Promise<void> => {
  await page.getByRole('radio', { name: /^Connector/ }).click();
  await page.getByRole('combobox', { name: 'Connector', exact: true }).selectOption('sqlite');
  await page.getByRole('textbox', { name: 'Settings of the connector' }).fill('{"file": "shop.db"}');
  await page.getByRole('textbox', { name: 'Stream' }).fill('orders');
};

const showSchedule = async (page: Page): Promise<void> => {
  await showSourceRows(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'On a schedule' }).click();
  await page.getByRole('list', { name: 'Next times' }).waitFor();
};

/** Imports the flights, so that there are jobs, and gives the path of the receipt. */
export const importFlights = async (page: Page): Promise<string> => {
  await showPreview(page);
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await page
    .getByRole('region', { name: 'Uploads' })
    .getByText(/^(done|partial)/)
    .waitFor();
  return (await page.getByRole('link', { name: 'Receipt' }).getAttribute('href')) ?? '';
};

const runSql = async (page: Page): Promise<void> => {
  await page.getByLabel('SQL', { exact: true }).focus();
  await page.keyboard.press('Control+Enter');
  await cell(page);
};

const statement = `-- Highest beacons of each country
SELECT iso_country, name, type, elevation_ft, frequency_khz,
       rank() OVER (PARTITION BY iso_country ORDER BY elevation_ft DESC) AS place
FROM navaids
WHERE elevation_ft IS NOT NULL
ORDER BY iso_country, place`;
const sort = encodeURIComponent(JSON.stringify([{ field: 'associated_airport', direction: 'ascending' }]));
const filters = encodeURIComponent(JSON.stringify([{ field: 'type', operator: 'is', values: ['VOR-DME'] }]));

/** The ten pages that people see most. */
export const chiefShots = (place: FilledWorkspace): readonly Shot[] => [
  { name: 'sign-in', path: '/app/', act: heading('Sign in') },
  { name: 'datasets', as: 'ada', path: '/app/datasets', act: text('countries') },
  { name: 'import', as: 'ada', path: '/app/datasets/new', act: showPreview },
  {
    name: 'records',
    as: 'ada',
    path: `/app/datasets/${place.navaids}?sort=${sort}&filters=${filters}`,
    act: async (page) => {
      await page.getByRole('gridcell').or(page.getByRole('listitem')).first().waitFor();
      await page
        .getByText(/match(es)?$/)
        .first()
        .waitFor();
      await charts(page);
    },
  },
  {
    name: 'record',
    as: 'ada',
    path: `/app/datasets/${place.notices}`,
    act: async (page) => {
      const grid = page.getByRole('grid');
      const card = page
        .getByRole('list', { name: /^Records of/ })
        .getByRole('button')
        .first();
      await grid.or(card).first().waitFor();
      if ((await grid.count()) > 0) {
        await cell(page);
        await charts(page);
        await grid.focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      } else await card.click();
      await page.getByRole('complementary', { name: /Record/ }).waitFor();
    },
  },
  { name: 'search', as: 'ada', path: '/app/search?q=runway OR london', act: text(/matches in/) },
  {
    name: 'sql',
    as: 'ada',
    path: '/app/sql',
    act: async (page) => {
      await page.getByLabel('SQL', { exact: true }).click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(statement);
      await page.keyboard.press('Control+Home');
      await runSql(page);
    },
  },
  { name: 'jobs', as: 'ada', path: '/app/jobs', act: text('Completed') },
  { name: 'people', as: 'ada', path: '/app/people', act: text('von Hohenstein') },
  { name: 'group', as: 'ada', path: `/app/groups/${place.group}`, act: text('von Hohenstein') },
];

export const still = (page: Page) => page.waitForTimeout(800);

/** All other pages. */
export const otherShots = (place: FilledWorkspace, receipt: string): readonly Shot[] => {
  const as = 'ada';
  const navaids = `/app/datasets/${place.navaids}`;
  return [
    {
      name: 'sign up',
      path: '/app/',
      act: async (page) => {
        await page.getByRole('button', { name: 'Create one' }).click();
        await page.getByLabel('First name').waitFor();
      },
    },
    { name: 'workspace', as: 'newcomer', path: '/app/', act: heading('Create your workspace') },
    { name: 'invitation not valid', path: '/app/invite#unknown', act: text('not valid') },
    { name: 'import, no file yet', as, path: '/app/datasets/new', act: text('Drop files here') },
    { name: 'import documents', as, path: '/app/datasets/new', act: showDocuments },
    { name: 'import from a source', as, path: `${navaids}/import-source`, act: showSourceRows },
    { name: 'import on a schedule', as, path: `${navaids}/import-source`, act: showSchedule },
    { name: 'import of topics', as, path: `${navaids}/import-source`, act: showTopics },
    { name: 'import of changed rows', as, path: `${navaids}/import-source`, act: showChanges },
    { name: 'import from a connector', as, path: `${navaids}/import-source`, act: showConnector },
    { name: 'new connection', as, path: '/app/connections/new', act: text('Kind of source') },
    { name: 'connections', as, path: '/app/connections', act: text('Flight data') },
    { name: 'connection', as, path: `/app/connections/${place.connection}`, act: text('Flight data') },
    { name: 'schedules', as, path: '/app/schedules', act: text('every night') },
    {
      name: 'schedule',
      as,
      path: `/app/schedules/${place.schedule}`,
      act: async (page) => {
        await page.getByRole('button', { name: 'Run now' }).click();
        await page.getByText('failed').first().waitFor();
      },
    },
    {
      name: 'import documents from a source',
      as,
      path: `/app/datasets/${place.manuals}/import-source`,
      act: showSourceDocuments,
    },
    { name: 'documents', as, path: `/app/datasets/${place.manuals}?tab=documents`, act: text('3 documents') },
    {
      name: 'document, marked',
      as,
      path: `/app/datasets/${place.manuals}?tab=documents&q=runway`,
      act: async (page) => {
        await page.getByRole('link', { name: /operations-2026\.pdf, page 2/ }).click();
        await page.locator('[data-mark]').first().waitFor();
      },
    },
    {
      name: 'document without a picture',
      as,
      path: `/app/datasets/${place.manuals}?tab=documents`,
      act: async (page) => {
        await page.getByRole('link', { name: /letter\.docx/ }).click();
        await page.getByText('Dear colleagues').waitFor();
      },
    },
    { name: 'records, marked', as, path: `/app/datasets/${place.notices}?q=runway`, act: marked },
    { name: 'receipt', as, path: receipt, act: text('flights 2026') },
    { name: 'all records', as, path: navaids, act: charts },
    { name: 'fields', as, path: `${navaids}?tab=fields`, act: text('elevation_ft') },
    { name: 'code', as, path: `${navaids}?tab=code`, act: text('curl') },
    { name: 'settings of a dataset', as, path: `${navaids}?tab=settings`, act: text('Delete') },
    { name: 'search, nothing yet', as, path: '/app/search', act: still },
    {
      name: 'plot',
      as,
      path: `/app/sql/${place.savedQuery}`,
      act: async (page) => {
        await runSql(page);
        await page.getByRole('button', { name: 'Plot' }).click();
        await page.getByRole('img').first().waitFor();
      },
    },
    { name: 'saved query', as, path: `/app/sql/${place.savedQuery}`, act: still },
    { name: 'history', as, path: '/app/sql/history', act: text('Completed') },
    {
      name: 'job',
      as,
      path: '/app/jobs',
      act: async (page) => {
        await page.getByRole('cell').getByRole('link', { name: 'Import files' }).first().click();
        await page.getByText('Receipt').first().waitFor();
      },
    },
    { name: 'person', as, path: `/app/people/${place.person}`, act: text('Attributes') },
    { name: 'groups', as, path: '/app/groups', act: text('Readers') },
    { name: 'attributes', as, path: '/app/attributes', act: text('REGION:EU') },
  ];
};
