import { allRoutes } from '@redoubt/contract';
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { refusalTypes } from './refusal-audit.ts';

test('the event types of rejected calls are listed under headings that exist', () => {
  const headings = new Set(allRoutes.map(({ tag }) => tag));
  deepEqual(
    Object.keys(refusalTypes).filter((heading) => !headings.has(heading)),
    [],
  );
});
