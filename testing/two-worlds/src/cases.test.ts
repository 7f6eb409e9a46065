/* Shows: R-route-declared */
import { allRoutes } from '@redoubt/contract';
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { cases } from './cases.ts';

test('every route has a case in the two worlds', () => {
  deepEqual(Object.keys(cases).toSorted(), allRoutes.map(({ operationId }) => operationId).toSorted());
});
