import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxLabelLength } from '../expression/limits.ts';
import { createRecordLabeller, type LabelResult } from './record-labeller.ts';
import type { SecurityLabelInfo } from './security-label-info.ts';

const identity = { parserClassName: 'identity-parser', fields: ['label'] } as const;

const labelsOf = (
  info: SecurityLabelInfo | null,
  minimum: string,
  ...labels: (string | undefined)[]
): LabelResult[] => {
  const labeller = createRecordLabeller(info, minimum);
  return labels.map((label) => labeller.label(label === undefined ? {} : { label }));
};
const textsOf = (results: readonly LabelResult[]): string[] =>
  results.map((result) => (result.kind === 'label' ? result.label : result.kind));

test('a minimum label is joined with every label in canonical form, with none and with replacements', () => {
  assert.deepEqual(textsOf(labelsOf(null, 'M', 'A')), ['M']);
  const ignore: SecurityLabelInfo = { ...identity, labelHandlingPolicy: 'ignore' };
  assert.deepEqual(textsOf(labelsOf(ignore, 'M|N', 'b|a', 'M', undefined, 'A&')), [
    '(A|B)&(M|N)',
    'M&(M|N)',
    'M|N',
    'error',
  ]);
  const replace: SecurityLabelInfo = { ...identity, labelHandlingPolicy: 'replace', replacementString: 'R' };
  assert.deepEqual(textsOf(labelsOf(replace, 'A&B', 'A', 'A&', undefined)), ['A&B', 'A&B&R', 'A&B&R']);
  const all: SecurityLabelInfo = { parserClassName: 'apply-label-to-all-records-parser', label: 'X|Y' };
  assert.deepEqual(textsOf(labelsOf(all, 'M', 'A')), ['M&(X|Y)']);
});

test('a label that is too long together with the minimum label is an error and never shortened', () => {
  const ignore: SecurityLabelInfo = { ...identity, labelHandlingPolicy: 'ignore' };
  const long = Array.from({ length: maxLabelLength / 10 }, (_, n) => `A${String(n).padStart(8, '0')}`).join(
    '&',
  );
  const [result] = labelsOf(ignore, 'MINIMUM', long);
  assert.equal(result?.kind, 'error');
});
