import { createHash } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inlineHashes, type InlineHashes } from './inline-hashes.ts';
import { packFile } from './pack-file.ts';

/** The file in a finished site that lists its files. The server serves only the files in this list. */
export const listFile = '.site.json';

/** What the list contains in addition to the files. */
export interface SiteMarks {
  /** The hash of the sources and settings, from `hashInputs`. `isBuiltFrom` compares it. */
  readonly inputs: string;
  readonly baseUrl: string;
  /** Origins that pages may use in addition to their own, by directive of the content security policy. */
  readonly origins: Readonly<Record<string, readonly string[]>>;
}

const sorted = <T>(entries: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** The number of files that are compressed at once. More would only take more memory on two cores. */
const atOnce = 2;

/**
 * Prepares a built folder for the server: compresses its files and writes the list of them, with the hashes that allow
 * the inline scripts of its pages. The list is written last, so a folder that contains it is complete.
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
