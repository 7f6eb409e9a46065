import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseLucene } from '../lucene/parse-lucene.ts';
import type { LuceneNode } from '../lucene/lucene-node.ts';
import { luceneTrees, printLucene } from '../../testing/lucene-trees.ts';
import { compileLucene } from './compile-lucene.ts';
import { compileSearch, compileRangeRead } from './compile-search.ts';
import { compileLabelPredicate } from './label-filter.ts';
import type { PathEntry } from './search-types.ts';

const visibleSet = (...ids: number[]) => {
  // The 40 further bytes stand for hidden labels with higher ids than the last visible one.
  const bits = new Uint8Array(Math.ceil((Math.max(-1, ...ids) + 1) / 8) + 40);
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
  return {
    version: 1,
    size: ids.length,
    ids: Uint32Array.from(ids),
    bits,
    has: (id: number) => ids.includes(id),
    hidden: [],
  };
};
const table = { database: 'd`b', datasetId: 'ds_1' };
const request = {
  table,
  tree: parseLucene('*'),
  paths: new Map<string, PathEntry>(),
  visible: visibleSet(1),
  columns: 'plain' as const,
};

test('a reader without a visible label gets a label predicate that is always false', () => {
  assert.equal(compileLabelPredicate(visibleSet()), '0');
});

/** The first whole numbers. */
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const asSmall = 'toUInt16(least(label_id, 65535))';

test('a few visible labels are a list, more are an array of 16-bit numbers', () => {
  assert.equal(compileLabelPredicate(visibleSet(...upTo(100))), `${asSmall} IN (${upTo(100).join(',')})`);
  const filter = compileLabelPredicate(visibleSet(...upTo(101)));
  const [start, list = '', end] = filter.split("'");
  assert.equal(start, `${asSmall} IN (reinterpret(base64Decode(`);
  assert.deepEqual([end, ...filter.split("'").slice(3)], ['), ', 'Array(UInt16)', '))']);
  const bytes = Buffer.from(list, 'base64');
  assert.deepEqual(
    upTo(bytes.length / 2).map((at) => bytes.readUInt16LE(at * 2)),
    upTo(101),
  );
});

test('with a label id beyond 16 bits, a few ids are a list of numbers, and more are a bit string that ends with the last id', () => {
  assert.match(
    compileLabelPredicate(visibleSet(65_534)),
    /^toUInt16\(least\(label_id, 65535\)\) IN \(65534\)$/,
  );
  for (const last of [65_535, 65_536]) {
    const few = [...upTo(99), last];
    assert.equal(
      compileLabelPredicate(visibleSet(...few)),
      `least(label_id, 4294967295) IN (${few.join(',')})`,
    );
    const filter = compileLabelPredicate(visibleSet(...upTo(100), last));
    const [, bits] =
      /^bitTest\(reinterpret\(base64Decode\('([^']+)'\), 'Array\(UInt64\)'\)\[intDiv\(label_id, 64\) \+ 1\], label_id % 64\)$/.exec(
        filter,
      ) ?? [];
    const bytes = Buffer.from(bits ?? '', 'base64');
    assert.equal(bytes.length, (Math.floor(last / 64) + 1) * 8);
    const words = upTo(bytes.length / 8).map((at) => bytes.readBigUInt64LE(at * 8));
    assert.deepEqual([words[0], words.at(-1)], [2n ** 64n - 1n, 2n ** BigInt(last % 64)]);
  }
});

test('too many labels for a fast lookup table are a bit string, whatever their ids', () => {
  assert.match(compileLabelPredicate(visibleSet(...upTo(16_384))), /^toUInt16/);
  assert.match(compileLabelPredicate(visibleSet(...upTo(16_385))), /^bitTest/);
});

test('a limit or offset that is not a row count throws and never gets into a statement', () => {
  for (const limit of [1.5, -2, Number.NaN, Infinity]) {
    assert.throws(() => compileSearch({ ...request, limit, offset: 0 }), RangeError);
    assert.throws(() => compileSearch({ ...request, limit: 1, offset: limit }), RangeError);
  }
});

test('a sequence is read between quoted ids, with the label predicate first', () => {
  assert.equal(
    compileRangeRead({
      table,
      visible: visibleSet(0, 2),
      after: "a'b",
      until: 'z',
      limit: 10,
      columns: 'plain',
    }),
    "SELECT record_id, raw FROM `d\\`b`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2) AND record_id > 'a\\'b' AND record_id <= 'z' ORDER BY record_id LIMIT 10",
  );
  assert.equal(
    compileRangeRead({ table, visible: visibleSet(), from: 'a', limit: -1, columns: 'internal' }),
    "SELECT record_id, label_id, toUnixTimestamp64Milli(ingested_at), raw FROM `d\\`b`.`ds_1` PREWHERE 0 AND record_id >= 'a' ORDER BY record_id",
  );
});

/** The SQL without its text literals and quoted names. */
const skeleton = (sql: string): string => sql.replaceAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs, '?');

test('text of a search appears in its statement only inside literals and quoted names', () => {
  const everything: PathEntry = { pathId: 3, kinds: 0x3ff };
  fc.assert(
    fc.property(luceneTrees, fc.boolean(), (printable, byPath) => {
      const paths = { get: () => everything, hidden: undefined, byPath };
      const tree: LuceneNode = parseLucene(printLucene(printable));
      assert.match(
        skeleton(compileLucene(tree, paths)),
        /^(?:[()[\], .:?<>=\d-]|e\d|inf|NOT|AND|OR|BETWEEN|->|doc|words|fields|loose_path|loose_text|loose_num|time_path|time_us|[ctnpu]\b|Int64|UInt64|Float64|String|hasAllTokens|hasAny|arrayMap|part|mark|concat|splitByChar|arrayFill|sign|startsWith|arrayWithConstant|length|position|match|ifNull|arrayExists|toString|toInt64OrNull|toUInt64OrNull)*$/,
      );
    }),
    { numRuns: 500 },
  );
});
