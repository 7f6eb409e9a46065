import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action } from './action.ts';
import { matchActions } from './match-actions.ts';

const action = (title: string, words?: string): Action => ({
  id: title,
  group: 'go',
  title,
  ...(words !== undefined && { words }),
  run: () => undefined,
});
const actions = [
  action('Go to SQL', 'query workbench'),
  action('navaids'),
  action('Notices of navigation'),
  action('Łódź'),
];

const titles = (text: string): string[] => matchActions(actions, text).map(({ title }) => title);

test('every typed word must be in an action, and titles that begin with it come first', () => {
  assert.deepEqual(titles(''), ['Go to SQL', 'navaids', 'Notices of navigation', 'Łódź']);
  assert.deepEqual(titles('nav'), ['navaids', 'Notices of navigation']);
  assert.deepEqual(titles('not nav'), ['Notices of navigation']);
  assert.deepEqual(titles('workb'), ['Go to SQL']);
  assert.deepEqual(titles('łó'), ['Łódź']);
  assert.deepEqual(titles('nav sql'), []);
});
