import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../docs');

export interface Page {
  /** Its path without the ending, such as `tutorials/jupyter-hub`. */
  readonly name: string;
  readonly file: string;
  readonly markdown: string;
}

/** All pages of the site, in the order of their paths. */
export const readPages = (): Page[] =>
  globSync('**/*.{md,mdx}', { cwd: folder })
    .toSorted()
    .map((path) => ({
      name: path.replace(/\.mdx?$/, ''),
      file: join('apps/docs/docs', path),
      markdown: readFileSync(join(folder, path), 'utf8'),
    }));
