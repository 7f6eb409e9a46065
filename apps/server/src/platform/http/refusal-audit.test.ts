import { allRoutes } from '@redoubt/contract';
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { refusalTypes } from './refusal-audit.ts';

test('what is refused has a type of audit event under headings that there are', () => {
  const headings = new Set(allRoutes.map(({ tag }) => tag));
  deepEqual(
    Object.keys(refusalTypes).filter((heading) => !headings.has(heading)),
    [],
  );
});
