import type { Page, Route } from 'playwright-core';
import type { FilledWorkspace } from './fill-workspace.ts';
import { still, text, type Shot } from './shots.ts';

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
    { name: 'schedules, empty', as: 'guest', path: '/app/schedules', act: text('No schedules yet') },
    { name: 'schedule, absent', as, path: `/app/schedules/${unknown}`, act: still },
    { name: 'schedules, loading', as, path: '/app/schedules', prepare: slow('**/schedules?**'), act: still },
    { name: 'schedules, failed', as, path: '/app/schedules', prepare: broken('**/schedules?**'), act: still },
    { name: 'connections, empty', as: 'guest', path: '/app/connections', act: text('No connections yet') },
    { name: 'connection, absent', as, path: `/app/connections/${unknown}`, act: still },
    {
      name: 'connections, failed',
      as,
      path: '/app/connections',
      prepare: broken('**/connections?**'),
      act: still,
    },
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
