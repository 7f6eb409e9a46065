import { FileParseError } from '../../file-parse-error.ts';
import type { ImageFormat } from '../document-formats.ts';

/** Maximum number of pixels of an image. Decoding takes about 12 bytes for each. */
const maxPixels = 50_000_000;

/** @throws FileParseError when the image has more pixels than can be decoded */
export function requirePixels(width: number, height: number, fileName: string): void {
  if (width * height <= maxPixels) return;
  throw new FileParseError(
    fileName,
    0,
    `the image has ${String(width)} × ${String(height)} pixels, and at most ${String(maxPixels)} can be read. Scale it down, or split it.`,
  );
}

/** The error for an image that cannot be decoded. */
export const damagedImage = (fileName: string, format: ImageFormat, cause: unknown): FileParseError => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FileParseError(
    fileName,
    0,
    `the image is damaged, cut off, or uses a rare feature of ${format} (${reason.slice(0, 300)}). Save it again as PNG and send that.`,
  );
};
