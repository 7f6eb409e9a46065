import type { LoadedContent } from '@docusaurus/plugin-content-docs';
import type { LoadContext, Plugin } from '@docusaurus/types';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listOf, markdownAddress, textOf, wholeText } from './page-text.ts';
import { sectionsOf } from './sections.ts';

const docsPlugin = 'docusaurus-plugin-content-docs';

/** Reads a file of the site by its alias, such as `@site/docs/intro.md`. */
const readIn =
  (siteDir: string) =>
  (source: string): string =>
    readFileSync(source.replace(/^@site/, siteDir), 'utf8');

/**
 * Adds a Markdown version of every page to the built site, for programs and for copying: `/docs/intro.md` beside
 * `/docs/intro/`, a list of all pages as `/llms.txt`, and all pages in one file as `/llms-full.txt`.
 */
export const markdownPages = ({ baseUrl, siteDir, siteConfig }: LoadContext): Plugin => ({
  name: 'markdown-pages',
  postBuild: async ({ outDir, plugins }) => {
    const loaded = plugins
      .filter(({ name }) => name === docsPlugin)
      .map(({ content }) => content as LoadedContent);
    const sections = loaded.flatMap(({ loadedVersions }) =>
      loadedVersions.flatMap((version) => sectionsOf(version, readIn(siteDir))),
    );
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(dirname(join(outDir, file)), { recursive: true });
      await writeFile(join(outDir, file), text);
    };
    for (const page of sections.flatMap(({ pages }) => pages)) {
      await write(markdownAddress(page.permalink).slice(baseUrl.length), textOf(page));
    }
    const { title, tagline } = siteConfig;
    await write('llms.txt', listOf(title, tagline, sections));
    await write('llms-full.txt', wholeText(title, tagline, sections));
  },
});
