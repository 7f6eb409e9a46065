/* Shows: S-topic-release-notes */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { internalReleaseNotes, releaseNotes, type ReleaseNote } from '../release-notes.ts';

const docs = join(import.meta.dirname, '../docs');

const holdsTogether = (folder: string, notes: readonly ReleaseNote[]): void => {
  const files = globSync('*.{md,mdx}', { cwd: join(docs, folder) }).toSorted();
  deepEqual(files, notes.map(({ slug }) => `${slug}.md`).toSorted());
  for (const { slug, title } of notes) {
    const [, matter = '', body = ''] = readFileSync(join(docs, folder, `${slug}.md`), 'utf8').split(/^---$/m);
    ok(matter.includes(`title: ${title}\n`), `${slug} is called ${title}`);
    match(body.trim(), /^This page describes the API line of .* and is no release of Redoubt\.\n/);
  }
};

describe('release notes', () => {
  test('there is a page for each month from November 2022 to December 2023, and no other', () => {
    const months = Array.from({ length: 14 }, (_none, index) =>
      new Date(Date.UTC(2022, 10 + index)).toISOString().slice(0, 7),
    );
    deepEqual(
      releaseNotes.map(({ date }) => date),
      months,
    );
    holdsTogether('release-notes', releaseNotes);
  });

  test('there are internal pages for the versions 5.2.0 of 2024-06-11 and 6.1.2 of 2025-06-03, and no other', () => {
    equal(
      internalReleaseNotes.map(({ slug, date }) => `${slug} ${date}`).join(),
      '5.2.0 2024-06-11,6.1.2 2025-06-03',
    );
    holdsTogether('internal-release-notes', internalReleaseNotes);
  });
});
