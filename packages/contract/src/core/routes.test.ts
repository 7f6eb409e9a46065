/* Shows: X-catalogue-closed */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorCatalogue } from '@redoubt/errors';
import { readFilterSchemas } from './list-query.ts';
import { readScalarSchema } from './scalar.ts';
import { allRoutes, routes } from './routes.ts';

/** Removes parameter names: `/users/{id}` and `/users/{userId}` are the same path. */
const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');

describe('the registry of routes', () => {
  test('the key of a route is its operationId', () => {
    for (const [key, route] of Object.entries(routes)) assert.equal(key, route.operationId);
  });

  test('no two routes have the same method and path, including aliases', () => {
    const seen = new Map<string, string>();
    for (const route of allRoutes) {
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const key = `${route.method} ${withoutNames(path)}`;
        assert.equal(seen.get(key), undefined, `${route.operationId} and ${seen.get(key)} both have ${key}`);
        seen.set(key, route.operationId);
      }
    }
  });

  test('the path parameters of a route match its path and its aliases', () => {
    for (const route of allRoutes) {
      const declared = Object.keys(route.params?.properties ?? {}).toSorted();
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const named = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '').toSorted();
        assert.deepEqual(named, declared, `${route.operationId}: ${path}`);
      }
    }
  });

  test('the errors of a route are in the catalogue and listed once', () => {
    for (const route of allRoutes) {
      assert.equal(new Set(route.errors).size, route.errors.length, route.operationId);
      for (const name of route.errors) assert.ok(name in errorCatalogue, `${route.operationId}: ${name}`);
    }
  });

  test('filters and query parameters have single values', () => {
    for (const route of allRoutes) {
      if (route.list !== undefined) assert.doesNotThrow(() => route.list && readFilterSchemas(route.list));
      for (const [name, schema] of Object.entries(route.query?.properties ?? {})) {
        assert.ok(readScalarSchema(schema) !== undefined, `${route.operationId}: ${name}`);
      }
    }
  });
});
