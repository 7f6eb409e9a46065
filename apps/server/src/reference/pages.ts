import { globSync } from 'node:fs';
import { join } from 'node:path';
import { sections } from './sections.ts';

const folder = join(import.meta.dirname, '../../../docs/docs');

/** The paths of all documentation pages. */
export const pageFiles = (): string[] =>
  globSync('**/*.{md,mdx}', { cwd: folder })
    .toSorted()
    .map((file) => join(folder, file));

const marked = /(?<open><!-- generated: (?<name>[\w-]+) -->\n).*?(?<close><!-- \/generated -->)/gs;

/** The names of the generated sections of a page. */
export const generatedParts = (page: string): string[] =>
  Array.from(page.matchAll(marked), ({ groups = {} }) => groups['name'] ?? '');

/**
 * Fills the generated sections of a page. Other text stays as it is.
 *
 * @throws Error for an unknown section
 */
export const fillPage = async (page: string): Promise<string> => {
  const texts = new Map<string, string>();
  for (const name of generatedParts(page)) {
    const section = sections[name];
    if (section === undefined)
      throw new Error(
        `There is no generated section "${name}". Use one of: ${Object.keys(sections).join(', ')}.`,
      );
    texts.set(name, await section());
  }
  return page.replaceAll(
    marked,
    (_all, open: string, name: string, close: string) =>
      `${open}<!-- prettier-ignore-start -->\n\n${texts.get(name) ?? ''}\n\n<!-- prettier-ignore-end -->\n${close}`,
  );
};
