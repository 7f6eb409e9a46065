import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { exportOf } from './records-export.ts';

const dataset = { id: 'd-1', schema: { name: { type: 'text' }, n: { type: 'bigint' } } } as const;

test('filters and sort are exported as a statement with the same rows and order', () => {
  deepEqual(
    exportOf(dataset, {
      filters: [
        { field: 'name', operator: 'is', values: ["O'Hare", null] },
        { field: 'n', operator: 'at-least', values: ['7'] },
      ],
      sort: [{ field: 'n', direction: 'descending' }],
    }),
    {
      operation: 'query',
      body: {
        expression: `SELECT * FROM "d-1" WHERE ("name" IN ('O''Hare') OR "name" IS NULL) AND ("n" >= 7) ORDER BY "n" DESC NULLS LAST`,
      },
    },
  );
});

test('a search alone is exported as a search; what no query selects exactly is not exported', () => {
  deepEqual(exportOf(dataset, { q: 'name:x' }), {
    operation: 'queryLucene',
    body: { datasetId: 'd-1', expression: 'name:x' },
  });
  const sort = [{ field: 'n', direction: 'ascending' }] as const;
  equal(typeof exportOf(dataset, { q: 'name:x', sort }), 'string');
  equal(typeof exportOf(dataset, { sort: [{ field: 'a.b', direction: 'ascending' }] }), 'string');
});
