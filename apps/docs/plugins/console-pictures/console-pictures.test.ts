import { deepEqual, equal, throws } from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { consolePictures, type Node } from './console-pictures.ts';

const folder = join(import.meta.dirname, '../..');
const pictures = join(folder, 'static/img/console');
const page = (url: string, alt = 'The records'): { root: Node; paragraph: Node } => {
  const paragraph: Node = { type: 'paragraph', children: [{ type: 'image', url, alt }] };
  return { root: { type: 'root', children: [paragraph] }, paragraph };
};

test('a picture of the console becomes one in the colours of the page', () => {
  const { root, paragraph } = page('/img/console/records-light.webp');
  consolePictures()(root);
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
  consolePictures()(root);
  equal(paragraph.type, 'paragraph');
});

test('a picture without a text fails the build', () => {
  throws(() => consolePictures()(page('/img/console/records-light.webp', '').root), /needs a text/);
});

test('pages show all pictures of the console and no others, each light and dark and below 150 kB', () => {
  const sources = globSync(['docs/**/*.{md,mdx}', 'src/pages/*.tsx'], { cwd: folder });
  const texts = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const shown = new Set(
    Array.from(
      texts.matchAll(/\/img\/console\/([a-z]+(?:-[a-z]+)*?)(?:-light\.webp|")/g),
      ([, name]) => name,
    ),
  );
  const files = globSync('*', { cwd: pictures }).toSorted();
  deepEqual(files, [...shown].flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`]).toSorted());
  deepEqual(
    files.filter((file) => statSync(join(pictures, file)).size > 150_000),
    [],
  );
});
