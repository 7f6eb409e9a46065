import { globSync } from 'node:fs';
import { join } from 'node:path';
import { sections } from './sections.ts';

const folder = join(import.meta.dirname, '../../../docs/docs');

/** The pages of the documentation. */
export const pageFiles = (): string[] =>
  globSync('**/*.{md,mdx}', { cwd: folder })
    .toSorted()
    .map((file) => join(folder, file));

const marked = /(?<open><!-- generated: (?<name>[\w-]+) -->\n).*?(?<close><!-- \/generated -->)/gs;

/** The names of what a page takes from the code. */
export const generatedParts = (page: string): string[] =>
  Array.from(page.matchAll(marked), ({ groups = {} }) => groups['name'] ?? '');

/**
 * A page with what it takes from the code as the code says it now. Other text stays as it is.
 *
 * @throws Error for a name that no part has
 */
export const fillPage = async (page: string): Promise<string> => {
  const texts = new Map<string, string>();
  for (const name of generatedParts(page)) {
    const section = sections[name];
    if (section === undefined) throw new Error(`No part of the documentation is called "${name}".`);
    texts.set(name, await section());
  }
  return page.replaceAll(
    marked,
    (_all, open: string, name: string, close: string) =>
      `${open}<!-- prettier-ignore-start -->\n\n${texts.get(name) ?? ''}\n\n<!-- prettier-ignore-end -->\n${close}`,
  );
};
