import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { TableSkeleton } from '@redoubt/ui';
import { loadPart } from '../api/connection.ts';
import { createOwnHistory } from '../api/own-history.ts';
import { DatasetsPage } from '../features/datasets/DatasetsPage.tsx';
import { parseRecordsSearch, type RecordsSearch } from '../features/datasets/records/records-search.ts';
import { shellText } from '../text/shell.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { Shell } from './Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => redirect({ to: '/datasets', throw: true }),
});

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

export const datasetTabs = ['records', 'documents', 'fields', 'code', 'access', 'settings'] as const;
export type DatasetTab = (typeof datasetTabs)[number];

const dataset = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$id',
  validateSearch: (search): RecordsSearch & { tab?: DatasetTab } => {
    const tab = datasetTabs.find((one) => one === search['tab']);
    return { ...(tab !== undefined && { tab }), ...parseRecordsSearch(search) };
  },
  component: lazyRouteComponent(() => loadPart(() => import('./DatasetRoute.tsx')), 'DatasetRoute'),
});

/** The named text parameters of an address, without empty ones. */
const texts = <K extends string>(
  search: Record<string, unknown>,
  names: readonly K[],
): { [P in K]?: string } =>
  Object.fromEntries(
    names.map((name) => [name, textOr(search[name], '')]).filter(([, text]) => text !== ''),
  ) as {
    [P in K]?: string;
  };

const datasets = createRoute({
  getParentRoute: () => root,
  path: '/datasets',
  validateSearch: (search) => texts(search, ['filter']),
  component: DatasetsPage,
});

const sql = createRoute({
  getParentRoute: () => root,
  path: '/sql',
  validateSearch: (search) => texts(search, ['dataset', 'tab', 'run']),
  component: lazyRouteComponent(() => loadPart(() => import('../features/sql/SqlPage.tsx')), 'SqlPage'),
});
const sqlDrafts = createRoute({ getParentRoute: () => sql, path: '/' });
const savedQuery = createRoute({ getParentRoute: () => sql, path: '/$queryId' });
const sqlHistory = createRoute({
  getParentRoute: () => root,
  path: '/sql/history',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/sql/HistoryPage.tsx')),
    'HistoryPage',
  ),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: (sent) => texts(sent, ['q']),
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/search/SearchPage.tsx')),
    'SearchPage',
  ),
});

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  component: lazyRouteComponent(() => loadPart(() => import('../features/jobs/JobsPage.tsx')), 'JobsPage'),
});
const job = createRoute({
  getParentRoute: () => root,
  path: '/jobs/$id',
  component: lazyRouteComponent(() => loadPart(() => import('../features/jobs/JobPage.tsx')), 'JobPage'),
});

const importNew = createRoute({
  getParentRoute: () => root,
  path: '/datasets/new',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/uploads/ImportPage.tsx')),
    'ImportPage',
  ),
});

const importInto = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$id/import',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/uploads/ImportIntoPage.tsx')),
    'ImportIntoPage',
  ),
});

const importSource = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$id/import-source',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/uploads/source/SourceImportPage.tsx')),
    'SourceImportPage',
  ),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/schedules/SchedulesPage.tsx')),
    'SchedulesPage',
  ),
});
const schedule = createRoute({
  getParentRoute: () => root,
  path: '/schedules/$scheduleId',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/schedules/SchedulePage.tsx')),
    'SchedulePage',
  ),
});

const connections = createRoute({
  getParentRoute: () => root,
  path: '/connections',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/connections/ConnectionsPage.tsx')),
    'ConnectionsPage',
  ),
});
const newConnection = createRoute({
  getParentRoute: () => root,
  path: '/connections/new',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/connections/NewConnectionPage.tsx')),
    'NewConnectionPage',
  ),
});
const connection = createRoute({
  getParentRoute: () => root,
  path: '/connections/$connectionId',
  validateSearch: (search): { test?: true } => (search['test'] === true ? { test: true } : {}),
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/connections/ConnectionPage.tsx')),
    'ConnectionPage',
  ),
});

const documentReader = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$id/documents/$documentId',
  validateSearch: (search): { page?: number; q?: string } => {
    const page = Number(search['page']);
    return { ...(Number.isSafeInteger(page) && page > 1 && { page }), ...texts(search, ['q']) };
  },
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/datasets/documents/DocumentPage.tsx')),
    'DocumentPage',
  ),
});

const receipt = createRoute({
  getParentRoute: () => root,
  path: '/imports/$jobId',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/uploads/ReceiptPage.tsx')),
    'ReceiptPage',
  ),
});

const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/people/UsersPage.tsx')),
    'UsersPage',
  ),
});

const person = createRoute({
  getParentRoute: () => root,
  path: '/people/$userId',
  component: lazyRouteComponent(() => loadPart(() => import('../features/people/UserPage.tsx')), 'UserPage'),
});

const groups = createRoute({
  getParentRoute: () => root,
  path: '/groups',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/people/GroupsPage.tsx')),
    'GroupsPage',
  ),
});

const group = createRoute({
  getParentRoute: () => root,
  path: '/groups/$groupId',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/people/GroupPage.tsx')),
    'GroupPage',
  ),
});

const attributes = createRoute({
  getParentRoute: () => root,
  path: '/attributes',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/people/AttributesPage.tsx')),
    'AttributesPage',
  ),
});

const preferences = createRoute({
  getParentRoute: () => root,
  path: '/preferences',
  component: lazyRouteComponent(
    () => loadPart(() => import('../features/preferences/PreferencesPage.tsx')),
    'PreferencesPage',
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    datasets,
    dataset,
    search,
    sql.addChildren([sqlDrafts, savedQuery]),
    sqlHistory,
    jobs,
    job,
    importNew,
    importInto,
    importSource,
    documentReader,
    connections,
    newConnection,
    connection,
    schedules,
    schedule,
    receipt,
    people,
    person,
    groups,
    group,
    attributes,
    preferences,
  ]),
  history: createOwnHistory(),
  basepath: '/app',
  defaultPreload: 'intent',
  defaultPendingComponent: () => <TableSkeleton label={shellText.loadingPage} hasTitle />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
