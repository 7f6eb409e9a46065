import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Files of text; images and fonts are packed already. */
const packable = /\.(css|csv|html|js|json|md|mjs|svg|txt|webmanifest|xml)$/;
const smallest = 512;

/** Puts the packed forms of a file beside it, as far as they are smaller, so that no server packs it for each reader. */
export const packFile = async (file: string, content: Buffer): Promise<('br' | 'gzip')[]> => {
  if (!packable.test(file) || content.length < smallest) return [];
  const forms = [
    {
      name: 'br',
      end: '.br',
      // The best quality takes ten times as long for a twentieth less.
      packed: await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    },
    { name: 'gzip', end: '.gz', packed: await zip(content, { level: 9 }) },
  ] as const;
  const smaller = forms.filter(({ packed }) => packed.length < content.length);
  for (const { end, packed } of smaller) await writeFile(`${file}${end}`, packed);
  return smaller.map(({ name }) => name);
};
