import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainPath } from './plain-path.ts';

test('a path that ends in .html or /index is the plain path of its page', () => {
  const spelt: [path: string, plain: string][] = [
    ['/docs/intro.html', '/docs/intro/'],
    ['/docs/intro/index.html', '/docs/intro/'],
    ['/docs/intro/index', '/docs/intro/'],
    ['/index.html', '/'],
    ['/index', '/'],
    ['/docs/intro/', '/docs/intro/'],
    ['/docs/intro', '/docs/intro'],
    ['/docs/index-settings/', '/docs/index-settings/'],
  ];
  assert.deepEqual(
    spelt.map(([path]) => plainPath(path)),
    spelt.map(([, plain]) => plain),
  );
});

test('a path that a browser would resolve to another host stays unchanged', () => {
  for (const path of [
    '//host.example/index.html',
    '//host.example/index',
    '//host.example/a.html',
    '///a.html',
  ])
    assert.equal(plainPath(path), path);
});
