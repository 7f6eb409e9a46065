import type { Page, Route } from 'playwright-core';
import type { FilledWorkspace } from './fill-workspace.ts';

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

const cell = (page: Page) => page.getByRole('gridcell').first().waitFor();
/** The charts in the headings of columns, which narrow screens do not have. */
const charts = async (page: Page): Promise<void> => {
  if ((page.viewportSize()?.width ?? 0) >= 900) await page.locator('.grid-head g').first().waitFor();
  await page.waitForLoadState('networkidle');
};
const text = (wanted: RegExp | string) => (page: Page) => page.getByText(wanted).first().waitFor();
const heading = (name: RegExp | string) => (page: Page) => page.getByRole('heading', { name }).waitFor();

const showPreview = async (page: Page): Promise<void> => {
  await page.getByLabel('Files', { exact: true }).setInputFiles(flights);
  await page.getByRole('table', { name: 'First rows' }).waitFor();
  await page.getByRole('radio', { name: 'From columns of the file' }).click();
  await page.getByText('hidden from you').first().waitFor();
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

/** Handles calls of the API, not the page itself. */
const calls = (path: string, handle: (route: Route) => Promise<unknown> | undefined) => (page: Page) =>
  page.route(path, async (route) => {
    if (route.request().resourceType() === 'document') await route.continue();
    else await handle(route);
  });
const broken = (path: string) =>
  calls(path, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: JSON.stringify({
        name: 'InternalServerError',
        code: 500,
        message: 'The server met an error. Request 7f3a.',
      }),
    }),
  );
const slow = (path: string) => calls(path, () => undefined);
const still = (page: Page) => page.waitForTimeout(800);

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
    { name: 'invitation not open', path: '/app/invite#unknown', act: text('not open') },
    { name: 'import, no file yet', as, path: '/app/datasets/new', act: text('Drop files here') },
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

/** States of pages: empty, loading, failed, absent, without permission. */
export const stateShots = (place: FilledWorkspace): readonly Shot[] => {
  const as = 'ada';
  const navaids = `/app/datasets/${place.navaids}`;
  const unknown = '00000000-0000-7000-8000-000000000000';
  return [
    { name: 'datasets, empty', as: 'guest', path: '/app/datasets', act: still },
    { name: 'datasets, loading', as, path: '/app/datasets', prepare: slow('**/datasets?**'), act: still },
    { name: 'datasets, failed', as, path: '/app/datasets', prepare: broken('**/datasets?**'), act: still },
    { name: 'records, loading', as, path: navaids, prepare: slow('**/rows'), act: still },
    { name: 'records, failed', as, path: navaids, prepare: broken('**/rows'), act: still },
    { name: 'records, no match', as, path: `${navaids}?q=unfindable`, act: still },
    { name: 'records, wrong search', as, path: `${navaids}?q=elevation_ft:[5 TO`, act: still },
    {
      name: 'dataset, loading',
      as,
      path: navaids,
      prepare: slow(`**/datasets/${place.navaids}`),
      act: still,
    },
    { name: 'dataset, absent', as, path: `/app/datasets/${unknown}`, act: still },
    { name: 'search, no match', as, path: '/app/search?q=unfindable', act: still },
    { name: 'search, loading', as, path: '/app/search?q=runway', prepare: slow('**/lucene/**'), act: still },
    {
      name: 'sql, error',
      as,
      path: '/app/sql',
      act: async (page) => {
        await page.getByLabel('SQL', { exact: true }).click();
        await page.keyboard.press('Control+A');
        await page.keyboard.insertText('SELECT nam FROM navaids');
        await page.keyboard.press('Control+Enter');
        await page.getByRole('alert').waitFor();
      },
    },
    { name: 'sql, absent', as, path: `/app/sql/${unknown}`, act: still },
    { name: 'jobs, empty', as: 'guest', path: '/app/jobs', act: still },
    { name: 'jobs, loading', as, path: '/app/jobs', prepare: slow('**/jobs?**'), act: still },
    { name: 'job, absent', as, path: `/app/jobs/${unknown}`, act: still },
    { name: 'history, empty', as: 'guest', path: '/app/sql/history', act: still },
    { name: 'people, loading', as, path: '/app/people', prepare: slow('**/users?**'), act: still },
    { name: 'people, failed', as, path: '/app/people', prepare: broken('**/users?**'), act: still },
    { name: 'people, member', as: 'guest', path: '/app/people', act: still },
    { name: 'person, absent', as, path: `/app/people/${unknown}`, act: still },
    { name: 'groups, empty', as: 'guest', path: '/app/groups', act: still },
    { name: 'group, absent', as, path: `/app/groups/${unknown}`, act: still },
    { name: 'attributes, empty', as: 'guest', path: '/app/attributes', act: still },
    { name: 'receipt, absent', as, path: `/app/imports/${unknown}`, act: still },
    { name: 'no such page', as, path: '/app/nowhere', act: still },
    {
      name: 'palette',
      as,
      path: '/app/datasets',
      act: async (page) => {
        await page.getByRole('link', { name: 'navaids' }).waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('option').first().waitFor();
      },
    },
    {
      name: 'shortcuts',
      as,
      path: '/app/datasets',
      act: async (page) => {
        await page.getByRole('link', { name: 'navaids' }).waitFor();
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'preferences', as, path: '/app/preferences', act: still },
    {
      name: 'account menu',
      as,
      path: '/app/datasets',
      act: async (page) => {
        await page.getByRole('link', { name: 'navaids' }).waitFor();
        await page.getByRole('button', { name: 'Ada Kowalczyk' }).click();
      },
    },
    {
      name: 'offline',
      as,
      path: '/app/datasets',
      act: async (page) => {
        await page.getByRole('link', { name: 'navaids' }).waitFor();
        await page.context().setOffline(true);
        await page.getByText('cannot be reached').waitFor();
      },
    },
  ];
};
