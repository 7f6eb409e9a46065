/* Shows: E-Workspace-id */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WorkspaceSlug } from '@redoubt/contract';
import { assert as check, property, string } from 'fast-check';
import { slugOf } from './slug.ts';

describe('the slug of a workspace', () => {
  const cases: [name: string, slug: string | undefined][] = [
    ['Acme', 'acme'],
    ['  Acme   Data & Co. ', 'acme-data-co'],
    ['Ärzte Köln', 'arzte-koln'],
    ['--a--b--', 'a-b'],
    ['日本', undefined],
    ['!!!', undefined],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ];
  for (const [name, slug] of cases) {
    test(`the name ${JSON.stringify(name)} becomes the slug ${slug}`, () => {
      assert.equal(slugOf(name), slug);
    });
  }

  test('every derived slug is a valid slug', () => {
    const allowed = new RegExp((WorkspaceSlug as { pattern?: string }).pattern!, 'u');
    check(
      property(string({ unit: 'binary', maxLength: 40 }), (name) => {
        const slug = slugOf(name);
        assert.ok(slug === undefined || (allowed.test(slug) && slug.length <= 63));
      }),
    );
  });
});
