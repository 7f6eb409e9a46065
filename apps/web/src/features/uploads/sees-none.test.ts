import type { LabelVisibility, UploadPreview } from '@redoubt/contract';
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { seesNone } from './sees-none.ts';

const previewOf = (...labels: (string | null)[]): UploadPreview =>
  ({ rows: labels.map((label) => ({ label })) }) as unknown as UploadPreview;
const visibilityOf = (visible: Readonly<Record<string, boolean>>): ReadonlyMap<string, LabelVisibility> =>
  new Map(
    Object.entries(visible).map(([label, isVisible]) => [
      label,
      { label, isVisible } as unknown as LabelVisibility,
    ]),
  );

test('a person is warned only if they will see none of the rows that are stored', () => {
  equal(seesNone(previewOf('A', 'B', null), visibilityOf({ A: false, B: false })), true);
  equal(seesNone(previewOf('A', 'B'), visibilityOf({ A: false, B: true })), false);
  equal(seesNone(previewOf(null), visibilityOf({})), false);
  equal(seesNone(previewOf('A'), undefined), false);
});
