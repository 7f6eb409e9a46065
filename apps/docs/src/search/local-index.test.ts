import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerptOf, highlight } from './highlight.ts';
import { readIndex, type SearchEntry, searchIndex, writeIndex } from './local-index.ts';

const entry = (id: number, page: string, rest: Partial<SearchEntry> = {}): SearchEntry => ({
  id,
  url: `/docs/${id}/`,
  page,
  area: 'Datasets',
  headings: [],
  text: '',
  ...rest,
});

const find = async (entries: readonly SearchEntry[], query: string): Promise<string[]> =>
  searchIndex(await readIndex(writeIndex(entries)), query).map(({ url }) => url);

test('a match in a title ranks above one in a heading, and that above one in text', async () => {
  const entries = [
    entry(1, 'Other', { text: 'Deleting datasets, deleting a dataset, delete.' }),
    entry(2, 'Guide', { url: '/docs/2/#deleting', headings: ['Deleting datasets'] }),
    entry(3, 'Deleting datasets'),
  ];
  assert.deepEqual(await find(entries, 'delete dataset'), ['/docs/3/', '/docs/2/#deleting', '/docs/1/']);
});

test('words are found in other forms, with typing errors and by their beginning', async () => {
  const entries = [entry(1, 'Dataset permissions'), entry(2, 'Billing')];
  for (const query of [
    'permission',
    'permisions',
    'permissoins',
    'perm',
    'datset',
    'Permissions of datasets',
  ]) {
    assert.deepEqual((await find(entries, query))[0], '/docs/1/', query);
  }
});

test('the parts of a name such as DatasetNotFound are found, and the name as a whole', async () => {
  const entries = [entry(1, 'Errors', { text: 'DatasetNotFound: there is none.' }), entry(2, 'Other')];
  for (const query of ['datasetnotfound', 'DatasetNotFound', 'not found']) {
    assert.deepEqual(await find(entries, query), ['/docs/1/'], query);
  }
});

test('each address is listed once, even with several matching parts', async () => {
  const entries = [
    entry(1, 'Labels', { url: '/a/', text: 'x label' }),
    entry(2, 'Labels', { url: '/a/', text: 'label y' }),
  ];
  assert.deepEqual(await find(entries, 'label'), ['/a/']);
});

test('if no page contains all words, pages with some of them are shown', async () => {
  const entries = [entry(1, 'Lucene'), entry(2, 'Billing')];
  assert.deepEqual(await find(entries, 'lucene zzzzqq'), ['/docs/1/']);
  assert.deepEqual(await find(entries, 'zzzzqq'), []);
  assert.deepEqual(await find(entries, '"* ('), []);
});

test('calls of the API and release notes rank below the pages that explain', async () => {
  const entries = [
    entry(1, 'June 2023', { url: '/docs/release-notes/2023-06/', text: 'Kafka ingestion of topics' }),
    entry(2, 'Ingest', { url: '/api/ingest/#kafka', headings: ['Kafka ingestion'] }),
    entry(3, 'Ingestion from Kafka', { text: 'Among others there is ingestion from topics of Kafka.' }),
  ];
  assert.deepEqual(await find(entries, 'kafka ingestion'), [
    '/docs/3/',
    '/api/ingest/#kafka',
    '/docs/release-notes/2023-06/',
  ]);
});

test('an excerpt shows the marked matches and a few words around them', () => {
  const text = `${'before '.repeat(60)}a needle here ${'after '.repeat(60)}`;
  const pieces = excerptOf(text, 'needles');
  assert.deepEqual(
    pieces.filter(({ marked }) => marked),
    [{ text: 'needle', marked: true }],
  );
  assert.ok(pieces.map(({ text }) => text).join('').length < 180);
  assert.deepEqual(highlight('<b>Delete</b>', 'delete'), [
    { text: '<b>', marked: false },
    { text: 'Delete', marked: true },
    { text: '</b>', marked: false },
  ]);
});
