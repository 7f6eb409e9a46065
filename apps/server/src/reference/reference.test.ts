/* Shows: S-topic-errors, S-error-codes-page, A-settings-table */
import { allRoutes } from '@redoubt/contract';
import { errorCatalogue, errorNames } from '@redoubt/errors';
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commonMessages } from './common-messages.ts';
import { errorSection } from './error-section.ts';
import { fillPage, generatedParts, pageFiles } from './pages.ts';
import { sections } from './sections.ts';

const pages = pageFiles().map((file) => ({ file, text: readFileSync(file, 'utf8') }));

describe('generated sections of pages', () => {
  test('the generated sections of all documentation pages are current', async () => {
    for (const { file, text } of pages) {
      equal(text, await fillPage(text), `${file} is outdated. Run: npm run docs:generate`);
    }
  });

  test('every generated section is on a page', () => {
    const used = new Set(pages.flatMap(({ text }) => generatedParts(text)));
    deepEqual([...used].toSorted(), Object.keys(sections).toSorted());
  });

  test('a page with an unknown generated section is rejected', async () => {
    await rejects(fillPage('<!-- generated: nothing -->\n<!-- /generated -->'), /"nothing"/);
  });

  test('the page about error codes has every error of the catalogue, with its statuses, when it occurs and what to do', () => {
    const text = errorSection();
    const page = pages.find(({ file }) => file.endsWith('docs/handling-error-codes.md'));
    ok(page?.text.includes(text));
    for (const name of errorNames) match(text, new RegExp(`\\n## ${name}\\n\\nStatus: [\\d, ]+\\.\\n`));
  });

  test('every common message of the page has a heading of its own, a status of its error and a text of the sources', () => {
    const root = join(import.meta.dirname, '../../../..');
    const sources = globSync(['packages/*/src/**/*.ts', 'apps/server/src/{features,platform}/**/*.ts'], {
      cwd: root,
      exclude: ['**/*.test.ts'],
    });
    const code = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    equal(new Set(commonMessages.map(({ title }) => title)).size, commonMessages.length);
    const unknown = commonMessages.flatMap(({ message }) =>
      message
        .split(/\{\w+\}|[.,:;"()]+/)
        .map((phrase) => phrase.trim())
        .filter((phrase) => !code.includes(phrase)),
    );
    deepEqual(unknown, []);
    for (const { error, status, title } of commonMessages) {
      ok((errorCatalogue[error] as readonly number[]).includes(status), title);
    }
  });

  test('calls that generated sections mention are calls of the API', async () => {
    const known = new Set(allRoutes.map(({ method, path }) => `${method} ${path}`));
    const { settings: _notOfTheApi, ...apiSections } = sections;
    const texts = await Promise.all(Object.values(apiSections).map(async (section) => section()));
    const named = texts.flatMap((text) => text.match(/\b(?:GET|POST|PATCH|DELETE) \/[\w/{}-]+/g) ?? []);
    ok(named.length > 2);
    deepEqual(
      named.filter((call) => !known.has(call)),
      [],
    );
  });
});
