import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const folder = join(import.meta.dirname, '../../docs/decisions');
const files = readdirSync(folder).filter((name) => name !== 'README.md');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('docs/decisions', () => {
  test('every decision is listed in the index once, with its number and title', () => {
    const listed = [...read('README.md').matchAll(/^- \[(?<title>.+)\]\((?<name>[^)]+)\)$/gm)];
    assert.deepEqual(listed.map(({ groups }) => groups?.['name'] ?? '').toSorted(), files.toSorted());
    for (const { groups } of listed) {
      const name = groups?.['name'] ?? '';
      assert.equal(read(name).split('\n', 1)[0], `# ${groups?.['title']}`);
      assert.ok(name.startsWith(`${groups?.['title']?.slice(0, 3)}-`), name);
    }
  });

  test('every decision has a number of its own and at most 40 lines', () => {
    const numbers = files.map((name) => name.slice(0, 3));
    assert.equal(new Set(numbers).size, files.length);
    for (const name of files) {
      assert.match(name, /^\d{3}-[a-z0-9-]+\.md$/);
      const lines = read(name).trimEnd().split('\n').length;
      assert.ok(lines <= 40, `${name} must have at most 40 lines, got ${lines}. Split it.`);
    }
  });

  test('links between decisions and to the measurements lead to a file and a heading', () => {
    for (const name of [...files, 'README.md']) {
      for (const [, target = '', anchor] of read(name).matchAll(/\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)/g)) {
        const text = read(target);
        const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
          title
            .toLowerCase()
            .replaceAll(/[^a-z0-9 -]/g, '')
            .replaceAll(' ', '-'),
        );
        assert.ok(anchor === undefined || headings.includes(anchor), `${name}: ${target}#${anchor}`);
      }
    }
  });
});
