import { zipSync } from 'fflate';
import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { ArchiveFile } from '../archives/archive-file.ts';
import type { ReadPass } from '../sources/read-pass.ts';

/**
 * Copies the parts of a workbook to an archive without compression, after checking their size. So the library that
 * reads workbooks needs no more memory than the archive has bytes. Errors of formulas become texts, because the library
 * reads them as empty cells.
 */
export async function repackWorkbook(
  files: AsyncIterable<ArchiveFile>,
  pass: ReadPass,
  { maxDocumentBytes }: FileLimits,
  fileName: string,
): Promise<Buffer> {
  const parts: Record<string, Uint8Array> = {};
  let left = maxDocumentBytes;
  for await (const { path, source, problem } of files) {
    if (!/\.(xml|rels)$/.test(path)) continue;
    if (problem !== undefined)
      throw new FileParseError(fileName, 0, `its part ${path} cannot be read: ${problem}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.stream(pass)) {
      left -= chunk.length;
      if (left < 0) throw tooLarge(fileName, maxDocumentBytes);
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    parts[path] = path.includes('/worksheets/') ? keepErrors(bytes) : bytes;
  }
  return Buffer.from(zipSync(parts, { level: 0 }));
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

const tooLarge = (fileName: string, max: number): FileParseError =>
  new FileParseError(
    fileName,
    0,
    `the workbook has more than ${String(max)} bytes without its compression. Split it, or save its sheets as CSV.`,
  );
