import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { listOf, textOf, wholeText, type MarkdownPage } from './page-text.ts';

const page = (source: string): MarkdownPage => ({
  title: 'Introduction',
  description: 'What this is.',
  permalink: '/docs/intro',
  source,
});

test('the Markdown version of a page is its source under its title, without front matter and imports', () => {
  equal(
    textOf(page('---\ntitle: Introduction\n---\n\nWords, and [more](./more.mdx#part).\n')),
    '# Introduction\n\nWords, and [more](./more.md#part).\n',
  );
  equal(textOf(page("import Box from './box';\n\n# Own title\n\n<Box />\n")), '# Own title\n\n<Box />\n');
  const code = "```ts\nimport { a } from 'b';\n```";
  equal(
    textOf(page(`---\na: 1\n---\nText\n\n${code}\n\nimport the data\n`)),
    `# Introduction\n\nText\n\n${code}\n\nimport the data\n`,
  );
});

test('llms.txt lists every page by section, with its Markdown address and its description', () => {
  const sections = [{ label: 'Getting started', pages: [page('Text')] }];
  equal(
    listOf('Redoubt', 'A platform.', sections),
    '# Redoubt\n\n> A platform.\n\n## Getting started\n\n- [Introduction](/docs/intro.md): What this is.\n',
  );
  equal(
    wholeText('Redoubt', 'A platform.', sections),
    '# Redoubt\n\n> A platform.\n\n<!-- /docs/intro/ -->\n\n# Introduction\n\nText\n',
  );
});
