import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCells } from './grid-text.ts';

const cells = {
  names: ['a', 'b|c'],
  rows: [
    [null, ''],
    [0, false],
    ["it's", 'tab\there "q"'],
    ['9007199254740993', { x: [1] }],
  ],
};

test('cells are copied as texts that programs read back', () => {
  assert.equal(
    formatCells(cells, 'tsv'),
    '\t\n0\tfalse\nit\'s\t"tab\there ""q"""\n9007199254740993\t"{""x"":[1]}"',
  );
  assert.ok(formatCells(cells, 'tsv-header').startsWith('a\tb|c\n\t\n'));
  assert.equal(
    formatCells(cells, 'csv'),
    'a,b|c\r\n,""\r\n0,false\r\nit\'s,"tab\there ""q"""\r\n9007199254740993,"{""x"":[1]}"\r\n',
  );
  assert.deepEqual(JSON.parse(formatCells(cells, 'json')), [
    { a: null, 'b|c': '' },
    { a: 0, 'b|c': false },
    { a: "it's", 'b|c': 'tab\there "q"' },
    { a: '9007199254740993', 'b|c': { x: [1] } },
  ]);
  assert.equal(formatCells(cells, 'markdown').split('\n')[0], '| a | b\\|c |');
  assert.equal(
    formatCells(cells, 'sql'),
    `(NULL, '', 0, false, 'it''s', 'tab\there "q"', '9007199254740993', '{"x":[1]}')`,
  );
});
