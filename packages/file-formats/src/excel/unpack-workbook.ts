import type { ArchiveFile } from '../archives/archive-file.ts';
import type { FileLimits } from '../file-limits.ts';
import type { ReadPass } from '../sources/read-pass.ts';
import { repackParts } from './repack-parts.ts';

/**
 * Copies the parts of a workbook to an archive without compression, after checking their size. Errors of formulas become
 * texts, because the library reads them as empty cells.
 */
export async function repackWorkbook(
  files: AsyncIterable<ArchiveFile>,
  pass: ReadPass,
  limits: FileLimits,
  fileName: string,
): Promise<Buffer> {
  const parts = await repackParts(files, pass, limits, {
    fileName,
    kind: 'workbook',
    advice: 'Split it, or save its sheets as CSV.',
    wanted: /\.(xml|rels)$/,
    change: (path, bytes) => (path.includes('/worksheets/') ? keepErrors(bytes) : bytes),
  });
  return parts.toZip();
}

/**
 * Changes the type of cells with an error to text. It may edit the bytes of the sheet, because `<` is ASCII and occurs
 * only in tags: texts contain it only as an escape.
 */
function keepErrors(sheet: Buffer): Buffer {
  if (!/\st=["']e["']/.test(sheet.toString('latin1'))) return sheet;
  const changed = sheet.toString('latin1').replace(/(<(?:\w+:)?c\b[^<>]*\st=)(?:"e"|'e')/g, '$1"str"');
  return Buffer.from(changed, 'latin1');
}
