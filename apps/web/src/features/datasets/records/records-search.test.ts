import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSort, parseRecordsSearch, toggleValue, type RecordsSearch } from './records-search.ts';

test('an address is read as it was written, and what is not understood is left out', () => {
  const search: RecordsSearch = {
    q: 'name:london',
    filters: [{ field: 'type', operator: 'is', values: ['VOR', null, ''] }],
    sort: [{ field: 'n', direction: 'descending' }],
    record: 'some-id',
    row: 12,
  };
  assert.deepEqual(parseRecordsSearch(structuredClone(search)), search);
  assert.deepEqual(
    parseRecordsSearch({
      q: 5,
      filters: [
        { field: 'a', operator: 'drop', values: ['x'] },
        { field: 'a', operator: 'is', values: [{}] },
        7,
      ],
      sort: [{ direction: 'descending' }, { field: 'b', direction: 'sideways' }],
      row: -1,
      record: {},
    }),
    { sort: [{ field: 'b', direction: 'ascending' }] },
  );
});

test('a value is added to the filter of its field, and the filter goes with its last value', () => {
  const one = toggleValue([], 'type', 'VOR');
  assert.deepEqual(one, [{ field: 'type', operator: 'is', values: ['VOR'] }]);
  const two = toggleValue(one, 'type', null);
  assert.deepEqual(two, [{ field: 'type', operator: 'is', values: ['VOR', null] }]);
  assert.deepEqual(toggleValue(toggleValue(two, 'type', null), 'type', 'VOR'), []);
  assert.equal(toggleValue(one, 'type', 'VOR', 'is-not').length, 2);
});

test('a column is sorted up, down and no more', () => {
  const up = nextSort([], 'n');
  const down = nextSort(up, 'n');
  assert.deepEqual(
    [up, down, nextSort(down, 'n')],
    [[{ field: 'n', direction: 'ascending' }], [{ field: 'n', direction: 'descending' }], []],
  );
});
