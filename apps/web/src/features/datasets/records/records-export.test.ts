import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { exportOf } from './records-export.ts';

test('an export has the search, filters and sort of the rows on the screen', () => {
  const filters = [{ field: 'name', operator: 'is', values: ["O'Hare", null] }] as const;
  const sort = [{ field: 'n', direction: 'descending' }] as const;
  deepEqual(
    exportOf('d-1', {
      q: 'name:x',
      filters: filters.map((one) => ({ ...one, values: [...one.values] })),
      sort,
    }),
    {
      operation: 'readRows',
      body: { datasetId: 'd-1', lucene: 'name:x', filters, sort },
    },
  );
  deepEqual(exportOf('d-1', {}), { operation: 'readRows', body: { datasetId: 'd-1' } });
});
