import { openColumnar } from './columnar/open-columnar.ts';
import { detectBinary } from './detect/detect-binary.ts';
import type { OpenedFile } from './file-format.ts';
import { FileParseError } from './file-parse-error.ts';
import { insideOf, type OpenContext } from './open-context.ts';
import { openTextFile } from './open-text-file.ts';
import type { DataSource } from './sources/data-source.ts';
import { createDecompressedSource, type Compression } from './sources/decompressed-source.ts';
import { readHead } from './sources/read-head.ts';
import { sampleBytes } from './text/open-text.ts';

/**
 * Opens the bytes of a file, or of a file inside another, by its content. Each file has a process of its own, so formats
 * with large libraries are loaded when they are needed.
 */
export async function openSource(source: DataSource, context: OpenContext): Promise<OpenedFile> {
  const { options, limits, depth } = context;
  const { fileName } = options;
  const { head, isWhole } = await readHead(source, context.newPass(false), sampleBytes);
  const binary = detectBinary(head);
  if (binary === undefined) return openTextFile(source, head, isWhole, context);
  if ('message' in binary) throw new FileParseError(fileName, 0, binary.message);
  switch (binary.format) {
    case 'gzip':
    case 'zstd':
      checkDepth(depth, limits.maxArchiveDepth, fileName);
      return openCompressed(source, binary.format, context);
    case 'zip':
      checkDepth(depth, limits.maxArchiveDepth, fileName);
      return (await import('./archives/open-zip.ts')).openZip(source, context);
    case 'tar':
      checkDepth(depth, limits.maxArchiveDepth, fileName);
      return (await import('./archives/open-tar.ts')).openTar(source, context);
    case 'parquet':
    case 'avro':
    case 'orc':
    case 'arrow':
      return openColumnar(source, binary.format, context);
  }
}

async function openCompressed(
  source: DataSource,
  compression: Compression,
  context: OpenContext,
): Promise<OpenedFile> {
  const { fileName } = context.options;
  const inner = insideOf(context, nameInside(fileName));
  const opened = await context.open(createDecompressedSource(source, compression, fileName), inner);
  return { ...opened, containers: [compression, ...opened.containers] };
}

/** The name of a compressed file without the ending of its compression. */
const nameInside = (fileName: string): string =>
  fileName.replace(/\.tgz$/i, '.tar').replace(/\.(gz|gzip|zst|zstd)$/i, '');

function checkDepth(depth: number, max: number, fileName: string): void {
  if (depth < max) return;
  throw new FileParseError(
    fileName,
    0,
    `archives and compressed files may be inside each other ${String(max)} deep. Unpack the file and send it again.`,
  );
}
