import { createHash } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inlineHashes, type InlineHashes } from './inline-hashes.ts';
import { packFile } from './pack-file.ts';

/** The list of a finished site; what is not in it is not served. */
export const listFile = '.site.json';

/** What a list says beside the files. */
export interface SiteMarks {
  /** Names what the site was made of. */
  readonly inputs: string;
  readonly baseUrl: string;
  /** Origins that pages may use beside their own, by directives of the content security policy. */
  readonly origins: Readonly<Record<string, readonly string[]>>;
}

const sorted = <T>(entries: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Two cores pack two files at a time; more would only hold more of them in memory. */
const atOnce = 2;

/**
 * Makes a built folder ready for the server: packs its files and writes the list of them, with the hashes by which pages
 * are allowed their own inline scripts. The list comes last, so that a folder with one is whole.
 */
export const finishSite = async (folder: string, marks: SiteMarks): Promise<void> => {
  const names = globSync('**/*', { cwd: folder })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !/\.(br|gz)$|(^|\/)\./.test(name) && statSync(join(folder, name)).isFile())
    .toSorted();
  const files: Record<string, { etag: string; packed: string[] }> = {};
  const pages: Record<string, InlineHashes> = {};
  const left = names.values();
  const work = async (): Promise<void> => {
    for (const name of left) {
      const file = join(folder, name);
      const content = await readFile(file);
      const etag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
      files[name] = { etag, packed: await packFile(file, content) };
      if (name.endsWith('.html')) pages[name] = inlineHashes(content.toString('utf8'));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await writeFile(
    join(folder, listFile),
    JSON.stringify({ format: 1, ...marks, files: sorted(files), pages: sorted(pages) }),
  );
};
