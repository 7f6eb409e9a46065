import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readIndex, type SearchEntry, searchIndex } from '../src/search/local-index.ts';
import { builtSite } from './site.ts';

const folder = await builtSite();
const indexFile = join(folder, 'search-index.json');
const text = readFileSync(indexFile, 'utf8');
const index = await readIndex(text);

const quickstart = '/docs/quickstart/';
const people = `${quickstart}managing-users-and-attributes/`;
const datasets = '/docs/datasets/';
const settings = `${datasets}dataset-settings/`;

/** Queries that readers type. One of the pages must be among the first three results; `*` stands for any end. */
const expected: readonly (readonly [query: string, ...pages: string[]])[] = [
  ['delete records', `${settings}clearing-a-dataset/`, '/api/*'],
  ['invite a user', `${people}add-new-user/`, `${people}accept-invite/`],
  ['ABAC label', `${datasets}abac-attributes/*`],
  ['lucene wildcard', '/docs/reference/lucene/', `${datasets}searching-datasets/`],
  ['rotate secrets', '/docs/operations/accounts-and-secrets/', '/docs/operations/hardening/'],
  ['permisions', `${settings}dataset-permissions/`, `${people}user-attributes-and-roles/`],
  ['datset', `${datasets}what-is-a-dataset/`, `${datasets}creating-a-dataset/`],
  ['sign in', `${quickstart}sign-in/`],
  ['login', `${quickstart}sign-in/`],
  ['how do I sign out', `${quickstart}sign-out/`],
  ['change password', `${quickstart}my-account/change-passwd/`],
  ['forgot password', '/docs/faq/', `${quickstart}sign-in/`],
  ['upload csv', `${datasets}adding-data/upload/`, `${datasets}adding-data/import-data/`],
  ['kafka', `${datasets}adding-data/kafka-ingestion/`],
  ['s3 bucket', `${datasets}adding-data/s3-ingestion/`],
  ['error codes', '/docs/handling-error-codes/'],
  ['zero trust', '/docs/getting-started/what-is-zero-trust/'],
  ['python', '/docs/using-your-data/python-connector/'],
  ['sql group by', '/docs/reference/sql/'],
  ['capco', '/docs/reference/capco/'],
  ['restore a backup', '/docs/operations/backup/'],
  ['DATABASE_URL', '/docs/reference/settings/', '/docs/operations/deployment/'],
  ['dark mode', `${quickstart}light-dark-mode/`],
  ['rename dataset', `${settings}renaming-datasets/`],
  ['airflow', '/docs/tutorials/apache-airflow/'],
  ['create group', `${people}managing-groups/`, '/api/*'],
  ['remove user', `${people}remove-users/`],
  ['price', '/docs/billing/*'],
  ['installation', '/docs/operations/deployment/'],
  ['prometheus metrics', '/docs/operations/monitoring/'],
  ['index a field', `${settings}index-management/*`],
  ['listDatasets', '/api/*'],
  ['POST /query/lucene', '/api/*'],
  ['faq', '/docs/faq/'],
  ['firewaled', `${datasets}firewalled/`],
  ['jupiter hub', '/docs/tutorials/jupyter-hub/'],
];

const isOf = (url: string, page: string): boolean =>
  page.endsWith('*') ? url.startsWith(page.slice(0, -1)) : url.split('#')[0] === page;

for (const [query, ...pages] of expected) {
  test(`a reader who searches for "${query}" finds the page among the first three results`, () => {
    const found = searchIndex(index, query).slice(0, 3);
    assert.ok(
      found.some(({ url }) => pages.some((page) => isOf(url, page))),
      `${pages.join(' or ')} is not among ${found.map(({ url }) => url).join(', ')}`,
    );
  });
}

/** Queries that readers type. One of the pages must be the first result. */
const expectedFirst: readonly (readonly [query: string, ...pages: string[]])[] = [
  ['docker', '/docs/operations/deployment/'],
  ['kubernetes', '/docs/operations/deployment/'],
  ['how to install', '/docs/getting-started/install/'],
  ['environment variables', '/docs/reference/settings/'],
  ['reverse proxy', '/docs/operations/deployment/'],
  ['tls certificate', '/docs/operations/deployment/'],
  ['backup', '/docs/operations/backup/'],
  ['upgrade', '/docs/operations/upgrade/'],
  ['prometheus', '/docs/operations/monitoring/'],
  ['audit trail', '/docs/operations/audit/'],
  ['rate limit', '/docs/reference/limits/', '/docs/reference/settings/', '/docs/handling-error-codes/'],
  ['LDAP', '/docs/operations/single-sign-on/'],
  ['saml', '/docs/operations/single-sign-on/'],
  ['sso okta', '/docs/operations/single-sign-on/'],
  ['login with google', '/docs/operations/single-sign-on/'],
  ['pagination', `${quickstart}navigation/`],
  ['label syntax', '/docs/reference/labels/'],
  ['row level security', '/docs/getting-started/what-is-zero-trust/', `${datasets}abac-attributes/*`],
  [
    'how do labels work',
    '/docs/getting-started/how-it-works/',
    '/docs/reference/labels/',
    `${datasets}abac-attributes/*`,
  ],
  ['time zone sql', '/docs/reference/sql/'],
  ['join', '/docs/reference/sql/'],
  ['window functions', '/docs/reference/sql/'],
  ['date functions', '/docs/reference/sql/'],
  ['csv export', '/docs/tutorials/common-api-usage/'],
  ['import csv', `${datasets}adding-data/*`],
  ['download all records', '/docs/tutorials/common-api-usage/'],
  ['wildcard search', '/docs/reference/lucene/'],
  ['fuzzy search', '/docs/reference/lucene/'],
  ['full text search', `${datasets}searching-datasets/`],
  ['delete all records', `${settings}clearing-a-dataset/`],
  ['delete a dataset', `${settings}deleting-datasets/`],
  ['share a dataset', `${settings}dataset-permissions/`],
  ['permission denied', '/docs/handling-error-codes/'],
  ['404 not found', '/docs/handling-error-codes/'],
  ['api key', '/docs/tutorials/common-api-usage/', '/api/api-keys/'],
  ['python client', '/docs/using-your-data/python-connector/'],
  ['oauth', '/docs/reference/oauth/'],
  ['reset password', `${quickstart}my-account/change-passwd/`],
  ['nested groups', `${people}managing-groups/`],
  ['create an index', `${settings}index-management/*`, '/api/indexes/'],
  ['upload csv', `${datasets}adding-data/upload/`],
  ['parquet', `${datasets}supported-filetypes/`, `${datasets}adding-data/upload/`],
  ['excel', `${datasets}supported-filetypes/`, `${datasets}adding-data/upload/`],
  ['invite a user', `${people}add-new-user/`, `${people}accept-invite/`],
  ['prometheus metrics', '/docs/operations/monitoring/'],
  ['forgot password', `${quickstart}my-account/change-passwd/`],
  ['two administrators', `${people}user-attributes-and-roles/`, '/docs/getting-started/what-is-zero-trust/'],
  [
    'clearance',
    '/docs/reference/capco/',
    `${people}user-attributes-and-roles/`,
    '/docs/getting-started/how-it-works/',
  ],
  ['system requirements', '/docs/getting-started/install/'],
  ['postgres', `${datasets}adding-data/postgres-ingestion/`, '/docs/operations/deployment/'],
  ['clickhouse', '/docs/operations/deployment/'],
  ['json functions', '/docs/reference/sql/'],
  ['regular expression', '/docs/reference/lucene/', '/docs/reference/sql/'],
  ['cancel a query', '/api/queries/', '/api/query/', `${datasets}searching-datasets/`],
  ['webhook', '/docs/operations/billing/', '/api/billing/'],
  ['jupyter notebook', '/docs/tutorials/jupyter-hub/'],
  ['pandas dataframe', '/docs/using-your-data/python-connector/', '/docs/tutorials/jupyter-hub/'],
  ['change email', `${quickstart}my-account/change-email/`],
  ['groups vs attributes', '/docs/getting-started/how-it-works/', `${people}*`],
  ['memory limit', '/docs/reference/settings/', '/docs/operations/deployment/'],
];

test('of sixty searches of readers at least nine tenths have the right page as their first result', () => {
  assert.equal(expectedFirst.length, 60);
  const wrong = expectedFirst.flatMap(([query, ...pages]) => {
    const [first] = searchIndex(index, query);
    const right = first !== undefined && pages.some((page) => isOf(first.url, page));
    return right ? [] : [`${query}: ${first?.url ?? 'nothing'}`];
  });
  assert.ok(wrong.length <= 6, wrong.join('\n'));
});

test('no text of a search result is that of a button of its page', () => {
  const { storedFields } = JSON.parse(text) as { storedFields: Record<string, Pick<SearchEntry, 'text'>> };
  const buttons = Object.values(storedFields).filter((entry) => entry.text.includes('View as Markdown'));
  assert.deepEqual(buttons, []);
});

test('the search index of the built site is below 2 MB', () => {
  const { size } = statSync(indexFile);
  assert.ok(size > 100_000 && size < 2_000_000, `${size} bytes`);
});

test('every place of the search index is there: the page, and the element of its hash', () => {
  const { storedFields } = JSON.parse(text) as { storedFields: Record<string, Pick<SearchEntry, 'url'>> };
  const places = [...new Set(Object.values(storedFields).map(({ url }) => url))];
  const pages = new Map<string, string>();
  const pageOf = (path: string): string => {
    const known = pages.get(path) ?? readFileSync(join(folder, path, 'index.html'), 'utf8');
    pages.set(path, known);
    return known;
  };
  const missing = places.filter((place) => {
    const [path = '', hash] = place.split('#');
    const html = pageOf(path);
    return hash !== undefined && !html.includes(`id="${hash}"`) && !html.includes(`id=${hash}`);
  });
  assert.deepEqual(missing, []);
  assert.ok(places.length > 300, `${places.length} places`);
});
