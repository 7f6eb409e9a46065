import { errorNames } from '@redoubt/errors';
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { collectMessages } from './collect-messages.ts';
import { errorMessagesPath, renderErrorMessages } from './render-page.ts';

const root = join(import.meta.dirname, '../..');

describe('the page of error messages', () => {
  const messages = collectMessages(root);

  test('the page lists every error message of the sources', () => {
    assert.equal(
      readFileSync(errorMessagesPath, 'utf8'),
      renderErrorMessages(messages),
      'Run: npm run docs:generate',
    );
  });

  test('every error of the catalogue has a message, except those that no request returns', () => {
    const listed = new Set(messages.map(({ name }) => name));
    assert.deepEqual(
      errorNames.filter((name) => !listed.has(name)),
      ['RestClientError'],
    );
  });
});

describe('the collection of error messages', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** The messages of a repository with the errors package and the given files of the server. */
  const collectAll = (files: Readonly<Record<string, string>>): string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'error-messages-'));
    folders.push(folder);
    cpSync(join(root, 'packages/errors/src'), join(folder, 'packages/errors/src'), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, 'apps/server/src/features', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return collectMessages(folder)
      .map(({ name, code, message }) => `${name} ${code} ${message}`)
      .toSorted();
  };

  /** The same without the messages of helpers that nothing calls. */
  const collect = (files: Readonly<Record<string, string>>): string[] => {
    const uncalled = new Set(collectAll({}));
    return collectAll(files).filter((line) => !uncalled.has(line));
  };

  test('a message that a helper in another file completes is listed once for each text', () => {
    const files = {
      'helper.ts': `import { conflict } from '@redoubt/errors';
        export const taken = (kind: string, name: string) => conflict(\`The \${kind} "\${name}" is taken.\`);`,
      'service.ts': `import { taken } from './helper.ts';
        export const add = (input: { name: string }, isGroup: boolean) => {
          throw taken(isGroup ? 'group' : 'dataset', input.name);
        };
        export const rename = (name: string) => taken('group', name);`,
    };
    assert.deepEqual(collect(files), [
      'BadRequestError 409 The dataset "{name}" is taken.',
      'BadRequestError 409 The group "{name}" is taken.',
    ]);
  });

  test('a message about a field says what is expected, whatever was sent', () => {
    const files = {
      'limits.ts': 'export const maxItems = 1000;',
      'service.ts': `import { describeValue, invalidField, unknownField } from '@redoubt/errors';
        import { maxItems } from './limits.ts';
        export const check = (field: string, sent: unknown, known: string[]) => {
          if (known.length > 5) throw unknownField({ field, kind: 'a filter', known });
          const expected = \`at most \${maxItems} values\`;
          throw invalidField({ field, expected, got: describeValue(sent), advice: 'Send fewer.' });
        };`,
    };
    assert.deepEqual(collect(files), [
      'BadRequestError 400 {field} is not a filter. Leave it out.',
      'BadRequestError 400 {field} is not a filter. Use one of: {known}.',
      'BadRequestError 400 {field} must be at most 1000 values, got {sent}. Send fewer.',
    ]);
  });

  test('parts of a message that come from a table belong together', () => {
    const files = {
      'service.ts': `import { RedoubtError } from '@redoubt/errors';
        const rules = {
          a: { name: 'AuthError', text: 'Sign in', advice: 'Send a token.' },
          b: { name: 'QueryError', text: 'Stopped', advice: 'Send it again.' },
        } as const;
        export const fail = (kind: 'a' | 'b', place: string) => {
          const rule = rules[kind];
          throw new RedoubtError(rule.name, \`\${rule.text} at \${place}. \` + rule.advice);
        };`,
    };
    const listed = collect(files);
    assert.ok(listed.includes('AuthError 401 Sign in at {place}. Send a token.'), listed.join('\n'));
    assert.ok(!listed.some((line) => line.includes('Sign in at {place}. Send it again.')), listed.join('\n'));
  });

  test('an error that repeats the message of another one is not listed', () => {
    const files = {
      'service.ts': `import { badRequest } from '@redoubt/errors';
        export const rethrow = (error: Error) => badRequest(error.message);`,
    };
    assert.deepEqual(collect(files), []);
  });
});
