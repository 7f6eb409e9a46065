import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Text files. Images and fonts are compressed already. */
const packable = /\.(css|csv|html|js|json|md|mjs|svg|txt|webmanifest|xml)$/;
const smallest = 512;

/**
 * Compresses a file once, so that the server need not do it for each request. Writes the compressed versions beside the
 * file where they are smaller.
 * @returns the content encodings that were written
 */
export const packFile = async (file: string, content: Buffer): Promise<('br' | 'gzip')[]> => {
  if (!packable.test(file) || content.length < smallest) return [];
  const forms = [
    {
      name: 'br',
      end: '.br',
      // The best quality takes ten times as long and saves only another 5 %.
      packed: await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    },
    { name: 'gzip', end: '.gz', packed: await zip(content, { level: 9 }) },
  ] as const;
  const smaller = forms.filter(({ packed }) => packed.length < content.length);
  for (const { end, packed } of smaller) await writeFile(`${file}${end}`, packed);
  return smaller.map(({ name }) => name);
};
