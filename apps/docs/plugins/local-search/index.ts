import type { LoadContext, Plugin } from '@docusaurus/types';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { indexFile, type SearchEntry, writeIndex } from '../../src/search/local-index.ts';
import type { SearchSettings } from '../../src/search/search-service.ts';
import { apiSections } from '../api-reference/reference.ts';
import { pageEntries } from './page-entries.ts';

type NewEntry = Omit<SearchEntry, 'id'>;

/**
 * The entries for the calls of the API. They come from the contract, since the pages contain more than anyone searches
 * for.
 */
const apiEntries = (baseUrl: string): NewEntry[] =>
  apiSections({}).flatMap(({ name, slug, description, operations }) => [
    { url: `${baseUrl}api/${slug}/`, page: name, area: 'API', headings: [], text: description },
    ...operations.map(({ id, method, path, summary, description }) => ({
      url: `${baseUrl}api/${slug}/#${id}`,
      page: name,
      area: 'API',
      headings: [summary],
      text: `${method} ${path} ${id}. ${description}`.trim(),
      keywords: `${id} ${path}`,
    })),
  ]);

/** Overview pages, the search page, and pages whose entries come from the contract. */
const isLeftOut = (path: string, baseUrl: string): boolean => {
  const inside = path.slice(baseUrl.length);
  return inside === '' || inside === '404.html' || inside.startsWith('search/') || inside.startsWith('api/');
};

const entriesOfPages = async (
  paths: readonly string[],
  baseUrl: string,
  outDir: string,
): Promise<NewEntry[]> => {
  const pages = await Promise.all(
    paths
      .filter((path) => path.startsWith(baseUrl) && !isLeftOut(path, baseUrl))
      .map(async (path) => ({
        path,
        html: await readFile(join(outDir, path.slice(baseUrl.length), 'index.html'), 'utf8'),
      })),
  );
  return pages.flatMap(({ path, html }) => pageEntries(html, path));
};

/**
 * Writes the search index of the site, if no hosted service is configured. It contains every heading with the text
 * below it, and every call of the API.
 */
export const localSearch = ({ baseUrl, siteConfig }: LoadContext): Plugin => ({
  name: 'local-search',
  postBuild: async ({ outDir, routesPaths }) => {
    const { hosted } = (siteConfig.customFields?.['search'] ?? {}) as SearchSettings;
    if (hosted !== undefined) return;
    const pages = await entriesOfPages([...new Set(routesPaths)].toSorted(), baseUrl, outDir);
    const entries = [...pages, ...apiEntries(baseUrl)].map((entry, id) => ({ ...entry, id }));
    await writeFile(join(outDir, indexFile), writeIndex(entries));
  },
});
