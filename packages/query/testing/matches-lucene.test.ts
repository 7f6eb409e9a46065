import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLucene } from '../src/lucene/parse-lucene.ts';
import { matchesLucene } from './matches-lucene.ts';

const record = JSON.stringify({
  name: 'John O’Neil',
  age: 42,
  active: true,
  zip: '98101',
  created: '2024-06-15T12:00:00Z',
  tags: ['red', 5, '2023-05-05', null],
  address: { city: 'New York', geo: [{ lat: 47.5 }] },
  nothing: null,
  dashes: '---',
});

const exact = `{"id":9007199254740993,"huge":1e400,"one":1.0,${record.slice(1)}`;

const matching = [
  'john',
  '"o neil"',
  'name:NEIL',
  'age:42',
  'age:42.0',
  'active:true',
  'one:1',
  'id:9007199254740993',
  'huge:10e399',
  'zip:98101',
  'tags:red',
  'tags:5',
  'tags:{4 TO 5]',
  'tags:2023',
  'tags:[2023-05 TO 2023-05]',
  'address.city:york',
  'address.geo.lat:<48',
  'created:[2024 TO 2024]',
  'created:>2024-05',
  'name:[A TO K}',
  'jo?n',
  'name:j*neil',
  'name:/john.*/',
  '/o|neil/',
  '_exists_:tags',
  '_exists_:address',
  '_exists_:address.geo.lat',
  'dashes:"---"',
  '-nope:1',
  'NOT (red AND blue)',
  'nope OR john',
  '+john nope',
];

const other = [
  'jo',
  '"john neil"',
  'id:9007199254740992',
  'age:4',
  'age:42.5',
  'tags:2022',
  'tags:6',
  'tags:{5 TO 6]',
  'address:york',
  '_exists_:nothing',
  '_exists_:nope',
  'nothing:*',
  '"---"',
  'active:[0 TO 1]',
  'age:[4 TO a]',
  'created:{2024 TO *]',
  'created:[2024-06-15T12:00:01Z TO 2025]',
  'name:/john/ AND name:/o.neil/',
  'jo* AND NOT name:john',
  '+nope john',
  'red AND blue',
];

for (const expression of matching) {
  test(`the reference implementation finds the record by ${expression}`, () => {
    assert.equal(matchesLucene(parseLucene(expression), exact), true);
  });
}

for (const expression of other) {
  test(`the reference implementation does not find the record by ${expression}`, () => {
    assert.equal(matchesLucene(parseLucene(expression), exact), false);
  });
}
