import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areDocuments, documentChoiceProblem } from './documents.ts';
import { noLabels } from './label-choice.ts';

const named = (...names: string[]): boolean => areDocuments(names.map((name) => ({ name })));

test('files count as documents if all of them have names of documents', () => {
  assert.equal(named('report.PDF', 'notes.md', 'all.mbox', 'photo.heic'), true);
  assert.equal(named('report.pdf', 'rows.csv'), false);
  assert.equal(named(), false);
});

test('a choice of columns is never taken as no label for documents', () => {
  assert.match(
    documentChoiceProblem({ ...noLabels, mode: 'columns', fields: ['access'] }) ?? '',
    /Choose one label/,
  );
  assert.equal(documentChoiceProblem(noLabels), undefined);
  assert.equal(documentChoiceProblem({ ...noLabels, mode: 'one', label: 'A&B' }), undefined);
  assert.match(documentChoiceProblem({ ...noLabels, mode: 'one', label: 'A&' }) ?? '', /At character 3/);
});
