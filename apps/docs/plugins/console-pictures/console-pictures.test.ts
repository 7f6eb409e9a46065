import { deepEqual, equal, throws } from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { consolePictures, type Node } from './console-pictures.ts';

const folder = join(import.meta.dirname, '../..');
const page = (url: string, alt = 'The records'): { root: Node; paragraph: Node } => {
  const paragraph: Node = { type: 'paragraph', children: [{ type: 'image', url, alt }] };
  return { root: { type: 'root', children: [paragraph] }, paragraph };
};

test('a picture of the console becomes one in the colours of the page', () => {
  const { root, paragraph } = page('/img/console/records-light.webp');
  consolePictures(() => true)(root);
  deepEqual(paragraph, {
    type: 'mdxJsxFlowElement',
    name: 'ConsolePicture',
    attributes: [
      { type: 'mdxJsxAttribute', name: 'path', value: '/img/console/records' },
      { type: 'mdxJsxAttribute', name: 'alt', value: 'The records' },
    ],
    children: [],
  });
});

test('other pictures stay as they are', () => {
  const { root, paragraph } = page('/img/mark.svg');
  consolePictures(() => false)(root);
  equal(paragraph.type, 'paragraph');
});

test('a picture that is missing in one of the colours, or without a text, fails the build', () => {
  throws(
    () => consolePictures((path) => path.includes('light'))(page('/img/console/records-light.webp').root),
    /The picture \/img\/console\/records-dark\.webp does not exist/,
  );
  throws(() => consolePictures(() => true)(page('/img/console/records-light.webp', '').root), /needs a text/);
});

test('every picture of the console is on a page, in both colours, and has less than 150 kB', () => {
  const files = globSync('static/img/console/*', { cwd: folder });
  const sources = globSync(['docs/**/*.{md,mdx}', 'src/pages/*.tsx'], { cwd: folder });
  const texts = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const names = [...new Set(files.map((file) => file.replace(/-(?:light|dark)\.webp$/, '')))];
  deepEqual(
    files.toSorted(),
    names.flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`]).toSorted(),
  );
  deepEqual(
    names.filter((name) => !texts.includes(name.replace('static', ''))),
    [],
  );
  deepEqual(
    files.filter((file) => statSync(join(folder, file)).size > 150_000),
    [],
  );
});
