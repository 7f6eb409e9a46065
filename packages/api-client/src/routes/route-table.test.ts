import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderRouteTable, routeTablePath } from './render-route-table.ts';

test('the table of calls without schemas is that of the contract', () => {
  assert.equal(
    readFileSync(routeTablePath, 'utf8'),
    renderRouteTable(),
    'It is out of date: run npm run docs:generate.',
  );
});
