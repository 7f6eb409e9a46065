import type { UploadPreview } from '@redoubt/contract';
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { knownFields } from './known-fields.ts';

const row = (record: string | null) => ({
  line: 1,
  outcome: record === null ? ('rejected' as const) : ('stored' as const),
  record,
  label: '',
  reason: null,
  text: null,
});
const preview: UploadPreview = {
  format: 'ndjson',
  encoding: null,
  dialect: null,
  columns: null,
  sourceColumns: null,
  fileOptions: {},
  rows: [row('{"a":1,"b":2}'), row(null), row('{"b":3,"c":{"d":4}}'), row('[1]')],
  error: null,
};

test('fields are the columns or, without columns, the keys of the first records', () => {
  deepEqual(knownFields({ ...preview, columns: [{ name: 'x', type: 'text' }] }), {
    names: ['x'],
    isComplete: true,
  });
  deepEqual(knownFields({ ...preview, sourceColumns: ['y'] }), { names: ['y'], isComplete: true });
  deepEqual(knownFields({ ...preview, rows: preview.rows.slice(0, 3) }), {
    names: ['a', 'b', 'c'],
    isComplete: false,
  });
  deepEqual(knownFields(undefined), { names: [], isComplete: false });
});
