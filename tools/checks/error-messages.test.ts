import { errorNames } from '@redoubt/errors';
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The sources whose errors reach clients. */
const sources = globSync(
  [
    'packages/{errors,contract,labels,query,file-formats,records}/src/**/*.ts',
    'apps/server/src/{features,platform}/**/*.ts',
  ],
  { exclude: ['**/*.test.ts', '**/testing/**', '**/golden/**'] },
).map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** A call of a factory of `packages/errors` with its message as one literal. */
const literalMessage =
  /\b(?:badRequest|conflict|tooLarge|unauthenticated|forbidden|notImplemented|securityError|tooMany)\(\s*(?<quote>['"`])(?<message>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>\s*[,)]/gs;

test('every error of the catalogue has a message, except those that no request returns', () => {
  const created = sources.flatMap(({ text }) => text.match(/\b(?:RedoubtError|super)\([^,;]*/g) ?? []);
  assert.deepEqual(
    errorNames.filter((name) => !created.some((call) => call.includes(`'${name}'`))),
    ['RestClientError'],
  );
});

test('an error message is made of whole sentences', () => {
  const messages = sources.flatMap(({ file, text }) =>
    [...text.matchAll(literalMessage)].map(({ groups }) => ({ file, message: groups?.['message'] ?? '' })),
  );
  assert.ok(messages.length > 100);
  assert.deepEqual(
    messages.filter(({ message }) => !/^[\w"$].*[.}]$/s.test(message)),
    [],
  );
});
