import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { goldenCases, goldenFile, goldenText } from './golden-cases.ts';

for (const golden of goldenCases) {
  test(`the statements of the search "${golden.name}" are the reviewed ones`, () => {
    assert.equal(goldenText(golden), readFileSync(goldenFile(golden), 'utf8'));
  });
}

test('every golden file of a search belongs to a case', () => {
  const files = readdirSync(new URL('./cases/', import.meta.url));
  assert.deepEqual(files.toSorted(), goldenCases.map(({ name }) => `${name}.golden.sql`).toSorted());
});

test('the label predicate comes first in every statement of a search', () => {
  for (const golden of goldenCases) {
    const [, rows, count] = goldenText(golden).split('\n');
    for (const statement of [rows, count]) {
      assert.match(
        statement ?? '',
        /^SELECT [^']+ FROM `redoubt`\.`ds_1` WHERE (?:0|least\(label_id, 4294967295\) IN \([\d,]+\)|toUInt16\(least\(label_id, 65535\)\) IN \((?:[\d,]+|reinterpret\(base64Decode\('[^']+'\), 'Array\(UInt16\)'\))\)|bitTest\(reinterpret\(base64Decode\('[^']+'\), 'Array\(UInt64\)'\)\[intDiv\(label_id, 64\) \+ 1\], label_id % 64\))(?: AND | ORDER BY |;|$)/,
      );
    }
  }
});
