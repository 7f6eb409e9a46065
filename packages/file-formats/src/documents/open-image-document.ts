import type { OpenedFile, PageScan, RowBatch } from '../file-format.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import { readWhole } from '../sources/seekable-source.ts';
import type { ImageFormat } from './document-formats.ts';
import { maxScanPixels, pageRow } from './document-page.ts';
import { openImage, scaledDown } from './images/decode-image.ts';
import { readExif } from './images/read-exif.ts';
import { toGray, type Raster } from './images/raster.ts';

/** Opens an image as a document. Each page is a row with an empty text and, where requested, a scan. */
export async function openImageDocument(
  source: DataSource,
  format: ImageFormat,
  context: OpenContext,
): Promise<OpenedFile> {
  const { limits, options } = context;
  const { fileName, scansFrom = Infinity } = options;
  const bytes = await readWhole(source, context.newPass(true), limits, fileName);
  const image = openImage(bytes, format, fileName);

  async function* rows(): AsyncGenerator<RowBatch> {
    const exif = readExif(bytes);
    for (let index = 0; index < image.pages; index++) {
      const scan = index >= scansFrom ? scanOf(image.decode(index + 1)) : undefined;
      yield [pageRow(index + 1, '', limits, fileName, { scan, exif: index === 0 ? exif : undefined })];
    }
  }
  return { format, containers: [], rows };
}

function scanOf(raster: Raster): PageScan {
  const { width, height } = raster;
  const factor = Math.sqrt(maxScanPixels / (width * height));
  return toGray(factor >= 1 ? raster : scaledDown(raster, Math.floor(Math.max(width, height) * factor)));
}
