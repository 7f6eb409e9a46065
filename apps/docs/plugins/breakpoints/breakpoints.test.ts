/* Shows: K-site-breakpoint-xs, K-site-breakpoint-sm, K-site-breakpoint-md, K-site-breakpoint-lg,
   K-site-breakpoint-xl */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveQuery } from './index.ts';
import { breakpoints, desktopAbove } from '../../src/breakpoints.ts';

test('the breakpoints of the site are 0, 600, 900, 1200 and 1536 px', () => {
  assert.deepEqual(breakpoints, { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 });
});

test('a window wider than 996 px is a desktop', () => {
  assert.equal(desktopAbove, 996);
  assert.equal(resolveQuery('(--desktop)'), '(min-width: 997px)');
  assert.equal(resolveQuery('(--mobile)'), '(max-width: 996px)');
});

test('a named breakpoint of a media query is replaced by its number', () => {
  assert.equal(resolveQuery('screen and (--from-md)'), 'screen and (min-width: 900px)');
  assert.equal(resolveQuery('(--from-sm) and (--below-xl)'), '(min-width: 600px) and (max-width: 1535.98px)');
});

test('an unknown breakpoint fails the build', () => {
  assert.throws(
    () => resolveQuery('(--from-md2)'),
    /The media query must use a known breakpoint, got \(--from-md2\)\. Use one of /,
  );
});
