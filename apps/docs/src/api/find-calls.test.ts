import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { findCalls } from './find-calls.ts';
import type { ApiIndexSection } from './types.ts';

const index: ApiIndexSection[] = [
  {
    name: 'Datasets',
    slug: 'datasets',
    description: '',
    calls: [
      { id: 'listDatasets', method: 'GET', path: '/datasets', summary: 'List datasets' },
      { id: 'deleteDataset', method: 'DELETE', path: '/datasets/{id}', summary: 'Delete a dataset' },
    ],
  },
  {
    name: 'API keys',
    slug: 'api-keys',
    description: '',
    calls: [{ id: 'deleteApiKey', method: 'DELETE', path: '/api-keys/{id}', summary: 'Delete a key' }],
  },
];
const found = (words: string): string[] =>
  findCalls(index, words).flatMap(({ calls }) => calls.map(({ id }) => id));

test('calls of the reference are found by name, method, path, summary and section, and need all words', () => {
  deepEqual(found(''), ['listDatasets', 'deleteDataset', 'deleteApiKey']);
  deepEqual(found('delete'), ['deleteDataset', 'deleteApiKey']);
  deepEqual(found('DELETE /datasets'), ['deleteDataset']);
  deepEqual(found('api keys'), ['deleteApiKey']);
  deepEqual(found('listdata'), ['listDatasets']);
  deepEqual(found('nothing of this'), []);
});
