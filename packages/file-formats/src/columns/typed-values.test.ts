import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from '@redoubt/file-formats/testing';
import type { ColumnType } from '../file-format.ts';

/** The JSON of a cell in a column of a type; undefined if its row is rejected. */
const typed = async (cell: string, type: ColumnType): Promise<string | undefined> => {
  const { json } = await readFile(`c,d\n"${cell.replaceAll('"', '""')}",\n`, {
    columns: [{ name: 'c', type }],
  });
  return json[0]?.slice('{"c":'.length, -',"d":null}'.length);
};

const cases: readonly [type: ColumnType, cell: string, json: string | undefined][] = [
  ['text', '007', '"007"'],
  ['integer', ' +007 ', '7'],
  ['integer', '123456789012345678901234567890', '123456789012345678901234567890'],
  ['integer', '1.0', undefined],
  ['number', '-01.50', '-1.50'],
  ['number', '.5e3', '0.5e3'],
  ['number', '1,5', undefined],
  ['boolean', 'YES', 'true'],
  ['boolean', '0', 'false'],
  ['boolean', 'maybe', undefined],
  ['date', '2024-02-29', '"2024-02-29"'],
  ['date', '2023-02-29', undefined],
  ['date', '0000-12-31', '"0000-12-31"'],
  ['date', '2024-02-29T00:00', undefined],
  ['date', '29.02.2024', undefined],
  ['timestamp', '2024-02-29', '"2024-02-29"'],
  ['timestamp', ' 2024-02-29 23:59:59.123456789+05:30', '"2024-02-29 23:59:59.123456789+05:30"'],
  ['timestamp', '2024-02-29T24:00Z', undefined],
  ['timestamp', '2024-02-29T23:60Z', undefined],
  ['timestamp', '2024-02-29T23:00+24:00', undefined],
  ['timestamp', '2024-04-31T00:00', undefined],
  ['json', ' [1, {"a": 1.0}] ', '[1, {"a": 1.0}]'],
  ['json', '{a:1}', undefined],
  ['integer', '', 'null'],
];

for (const [type, cell, json] of cases) {
  test(`${JSON.stringify(cell)} as ${type} is ${json ?? 'rejected'}`, async () => {
    assert.equal(await typed(cell, type), json);
  });
}
