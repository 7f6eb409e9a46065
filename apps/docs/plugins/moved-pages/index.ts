import type { LoadContext, Plugin } from '@docusaurus/types';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Pages that no longer exist, each with the page that has their content now. */
const movedPages: Readonly<Record<string, string>> = {
  'docs/reference/error-messages': 'docs/handling-error-codes/',
};

const redirectTo = (address: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Moved to ${address}</title>
<meta http-equiv="refresh" content="0; url=${address}">
<link rel="canonical" href="${address}">
<a href="${address}">This page has moved.</a>
`;

/** Writes a page for each address that has moved, which leads browsers to the new address on any host. */
export const movedPagesPlugin = ({ siteConfig: { baseUrl } }: LoadContext): Plugin => ({
  name: 'moved-pages',
  postBuild: async ({ outDir }) => {
    for (const [path, target] of Object.entries(movedPages)) {
      await mkdir(join(outDir, path), { recursive: true });
      await writeFile(join(outDir, path, 'index.html'), redirectTo(baseUrl + target));
    }
  },
});
