import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { fittedBody, fittedValue, takesOwnThings } from './own-things.ts';
import type { ApiOperation } from './types.ts';

const operation = (id: string, changes: boolean): ApiOperation =>
  ({ id, changes, parameters: [], recording: undefined }) as unknown as ApiOperation;
const own = { workspaceId: 'demo', dataset: { id: 'abc', name: 'navaids' } };
const field = { name: 'datasetId', in: 'path', required: true, description: '', schema: {} } as const;

test('a query is tried on the dataset of the demo, or on any dataset visible to the reader', () => {
  const example = { datasetId: 'recorded', expression: 'type:NDB', limit: 10 };
  deepEqual(fittedBody(operation('queryLucene', false), example, own), {
    datasetId: 'abc',
    expression: 'name:london',
    limit: 10,
  });
  const other = { dataset: { id: 'x', name: 'mine' } };
  deepEqual(fittedBody(operation('query', false), { expression: 'SELECT 1' }, other), {
    expression: 'SELECT * FROM "x"',
  });
});

test('a call that changes data is never prefilled with a dataset', () => {
  const example = { datasetId: 'recorded', workspaceId: 'harbour' };
  deepEqual(fittedBody(operation('createJob', true), example, own), {
    datasetId: 'recorded',
    workspaceId: 'demo',
  });
  equal(fittedValue(operation('clearDataset', true), field, own), '');
  equal(fittedValue(operation('getSplits', false), field, own), 'abc');
});

test('nothing is looked up for a call that takes nothing of a workspace', () => {
  ok(!takesOwnThings(operation('listUsers', false)));
  ok(takesOwnThings({ ...operation('getSplits', false), parameters: [field] }));
});
