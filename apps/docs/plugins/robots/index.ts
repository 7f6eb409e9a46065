import type { LoadContext, Plugin } from '@docusaurus/types';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes `robots.txt`: crawlers may read every page, and find them in the site map. */
export const robots = ({ siteConfig }: LoadContext): Plugin => ({
  name: 'robots',
  postBuild: async ({ outDir }) => {
    const { url, baseUrl } = siteConfig;
    await writeFile(
      join(outDir, 'robots.txt'),
      `User-agent: *\nAllow: /\n\nSitemap: ${url}${baseUrl}sitemap.xml\n`,
    );
  },
});
