import type { LoadedVersion } from '@docusaurus/plugin-content-docs';
import type { MarkdownPage, MarkdownSection } from './page-text.ts';

type SidebarItem = LoadedVersion['sidebars'][string][number];

const docIds = (items: readonly SidebarItem[]): string[] =>
  items.flatMap((item) => {
    if (item.type === 'doc' || item.type === 'ref') return [item.id];
    if (item.type !== 'category') return [];
    return [...(item.link?.type === 'doc' ? [item.link.id] : []), ...docIds(item.items)];
  });

/**
 * The pages of a version in the order of its sidebar, grouped by its top-level categories. Pages outside a category
 * come first.
 * @param read reads the source of a page, such as `@site/docs/intro.md`
 */
export const sectionsOf = (
  { docs, sidebars }: Pick<LoadedVersion, 'docs' | 'sidebars'>,
  read: (source: string) => string,
): MarkdownSection[] => {
  const pages = new Map(
    docs.map(({ id, title, description, permalink, source }) => {
      const page: MarkdownPage = { title, description, permalink, source: read(source) };
      return [id, page];
    }),
  );
  const pagesOf = (items: readonly SidebarItem[]): MarkdownPage[] =>
    docIds(items).flatMap((id) => pages.get(id) ?? []);
  const items = Object.values(sidebars).flat();
  const alone = pagesOf(items.filter(({ type }) => type !== 'category'));
  const sections = items
    .filter((item) => item.type === 'category')
    .map((item) => ({ label: item.label, pages: pagesOf([item]) }));
  return [{ label: 'Start', pages: alone }, ...sections].filter(({ pages }) => pages.length > 0);
};
