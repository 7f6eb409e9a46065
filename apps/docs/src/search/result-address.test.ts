/* Shows: S-search-links-external, S-search-links-internal */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultAddress } from './result-address.ts';

const rules = { siteUrl: 'https://docs.example.org', origin: 'http://localhost:7600', replace: undefined };

test('a result of another site keeps its address unchanged', () => {
  const elsewhere = 'https://other.example.com/docs/intro/?a=1#b';
  assert.equal(resultAddress(elsewhere, rules), elsewhere);
  assert.equal(resultAddress(elsewhere, { ...rules, replace: { from: 'docs', to: 'x' } }), elsewhere);
});

test('a result of this site keeps path, query and hash, and is opened on the host that is read', () => {
  assert.equal(resultAddress('https://docs.example.org/docs/intro/?a=1#b', rules), '/docs/intro/?a=1#b');
  assert.equal(resultAddress('http://localhost:7600/docs/faq/', rules), '/docs/faq/');
  assert.equal(resultAddress('/docs/faq/#why', rules), '/docs/faq/#why');
});

test('the configured pattern is replaced in the path of a result, and the hash is kept', () => {
  const replace = { from: '^/v[0-9]+/', to: '/docs/' };
  assert.equal(
    resultAddress('https://docs.example.org/v4/intro/#/v4/', { ...rules, replace }),
    '/docs/intro/#/v4/',
  );
  assert.equal(
    resultAddress('https://docs.example.org/a/b/a/', { ...rules, replace: { from: 'a', to: 'c' } }),
    '/c/b/c/',
  );
});
