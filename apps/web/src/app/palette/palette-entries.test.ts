import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, ActionGroup } from '../../actions/action.ts';
import { listEntries } from './palette-entries.ts';

const action = (group: ActionGroup, id: string): Action => ({ id, group, title: id, run: () => undefined });
const datasets = Array.from({ length: 80 }, (_, n) => action('dataset', `data ${String(n)}`));
const actions = [action('go', 'Go to Jobs'), action('page', 'New dataset'), ...datasets];

test('what was run last comes first, then the page, the datasets and the pages', () => {
  const { entries } = listEntries(actions, ['Go to Jobs', 'data 7'], '');
  assert.deepEqual(
    entries.slice(0, 4).map(({ id, group }) => [group, id]),
    [
      ['recent', 'Go to Jobs'],
      ['recent', 'data 7'],
      ['page', 'New dataset'],
      ['dataset', 'data 0'],
    ],
  );
  assert.equal(entries.filter(({ group }) => group === 'dataset').length, 5);
});

test('at most fifty entries are listed, and the rest is counted', () => {
  const { entries, left } = listEntries(actions, [], 'data');
  assert.deepEqual([entries.length, left, entries[0]?.id], [50, 31, 'New dataset']);
});
