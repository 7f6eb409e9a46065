import type { LoadContext, Plugin } from '@docusaurus/types';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ApiIndexSection, ApiSection, Recording } from '../../src/api/types.ts';
import { apiSections } from './reference.ts';

const recordedFile = 'src/api/recorded.json';

const indexOf = (sections: readonly ApiSection[]): ApiIndexSection[] =>
  sections.map(({ name, slug, description, operations }) => ({
    name,
    slug,
    description,
    calls: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  }));

/**
 * The API reference: `/api/` with a list of all calls, and a page below it for each tag. Each page loads only the calls
 * of its tag, as a module of its own.
 *
 * The pages send requests to the server that serves them, and to the host that a reader names (`?host=`). A
 * Content-Security-Policy for `/api/` and all paths below it needs `connect-src 'self' http: https:`; other pages need
 * `'self'`.
 */
export const apiReference = ({ siteDir, baseUrl, generatedFilesDir }: LoadContext): Plugin<ApiSection[]> => ({
  name: 'api-reference',
  getPathsToWatch: () => [join(siteDir, recordedFile)],
  loadContent: () => {
    const file = join(siteDir, recordedFile);
    const recordings = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recording>)
      : {};
    return Promise.resolve(apiSections(recordings));
  },
  contentLoaded: async ({ content, actions: { createData, addRoute } }) => {
    /** The module names end up in scripts, so they must not contain paths of this machine. */
    const moduleOf = async (name: string, data: unknown): Promise<string> => {
      const file = await createData(name, JSON.stringify(data));
      return `@generated/${relative(generatedFilesDir, file).replaceAll(sep, '/')}`;
    };
    const index = await moduleOf('index.json', indexOf(content));
    addRoute({
      path: `${baseUrl}api/`,
      exact: true,
      component: '@site/src/api/ApiOverviewPage.tsx',
      modules: { index },
    });
    for (const section of content) {
      addRoute({
        path: `${baseUrl}api/${section.slug}/`,
        exact: true,
        component: '@site/src/api/ApiSectionPage.tsx',
        modules: { index, section: await moduleOf(`section-${section.slug}.json`, section) },
      });
    }
  },
});
