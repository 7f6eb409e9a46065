import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements, statementToRun } from './statements.ts';

const texts = (text: string): string[] => splitStatements(text).map(({ from, to }) => text.slice(from, to));
const run = (text: string, from: number, to = from): string | undefined => {
  const found = statementToRun(text, { from, to });
  return found && text.slice(found.from, found.to);
};

test('statements end at semicolons outside of quotes and comments', () => {
  assert.deepEqual(texts('SELECT \';\' ; SELECT "a;b" -- ; no\n; /* ; */ SELECT $$;$$;;'), [
    "SELECT ';'",
    'SELECT "a;b" -- ; no',
    '/* ; */ SELECT $$;$$',
  ]);
  assert.deepEqual(texts("SELECT 'it''s; fine'"), ["SELECT 'it''s; fine'"]);
  assert.deepEqual(texts(' \n ; '), []);
});

test('of three statements only the one at the cursor is run', () => {
  const text = 'SELECT 1;\nSELECT 2;\nSELECT 3';
  assert.equal(run(text, 0), 'SELECT 1');
  assert.equal(run(text, 9), 'SELECT 1', 'right after the semicolon');
  assert.equal(run(text, 14), 'SELECT 2');
  assert.equal(run(text, text.length), 'SELECT 3');
  assert.equal(run('', 0), undefined);
});

test('a selection is run as it is', () => {
  const text = 'SELECT 1; SELECT 2';
  assert.equal(run(text, 7, 8), '1');
  assert.equal(run(text, 0, text.length), text);
});
