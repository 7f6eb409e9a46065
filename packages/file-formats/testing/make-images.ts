import { crc32, deflateSync } from 'node:zlib';
import { encodeJpeg } from '../src/documents/images/decode-image.ts';
import type { Raster } from '../src/documents/images/raster.ts';

/** A picture with one brightness for each pixel. */
export function makeRaster(width: number, height: number, gray: (x: number, y: number) => number): Raster {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels.fill(gray(x, y), (y * width + x) * 4, (y * width + x) * 4 + 3);
  return { width, height, pixels };
}

/** A JPEG with almost the pixels of a picture. */
export const makeJpeg = (raster: Raster): Buffer => Buffer.from(encodeJpeg(raster, 100));

const pngChunk = (type: string, content: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

/**
 * A gray PNG that says that it has this size.
 * @param content its lines before compression
 * @param more other chunks, by their type
 */
export function makePng(
  width: number,
  height: number,
  content: Uint8Array = Buffer.alloc((width + 1) * height),
  more: readonly (readonly [string, Uint8Array])[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...more.map(([type, bytes]) => pngChunk(type, bytes)),
    pngChunk('IDAT', deflateSync(content)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The fields of a directory of TIFF by their numbers: texts, short numbers, lists of fractions, or another directory. */
export type TiffFields = Readonly<
  Record<number, string | number | readonly (readonly [number, number])[] | { directory: TiffFields }>
>;

/** A directory of TIFF that begins at an offset, with the values of its fields behind it. */
function tiffDirectory(fields: TiffFields, offset: number): Buffer {
  const entries = Object.entries(fields);
  const table = Buffer.alloc(2 + entries.length * 12 + 4);
  table.writeUInt16LE(entries.length, 0);
  const values: Buffer[] = [];
  let end = offset + table.length;
  for (const [index, [tag, value]] of entries.entries()) {
    const at = 2 + index * 12;
    const entry = (type: number, count: number, last: number): void => {
      table.writeUInt16LE(Number(tag), at);
      table.writeUInt16LE(type, at + 2);
      table.writeUInt32LE(count, at + 4);
      table.writeUInt32LE(last, at + 8);
    };
    const behind = (type: number, count: number, bytes: Buffer): void => {
      entry(type, count, end);
      values.push(bytes);
      end += bytes.length;
    };
    if (typeof value === 'number') entry(3, 1, value);
    else if (typeof value === 'string') {
      const text = Buffer.from(`${value}\0`.padEnd(6, '\0'));
      behind(2, text.length, text);
    } else if ('directory' in value) behind(4, 1, tiffDirectory(value.directory, end));
    else {
      const bytes = Buffer.alloc(value.length * 8);
      for (const [place, [above, below]] of value.entries()) {
        bytes.writeUInt32LE(above, place * 8);
        bytes.writeUInt32LE(below, place * 8 + 4);
      }
      behind(5, value.length, bytes);
    }
  }
  return Buffer.concat([table, ...values]);
}

/** The fields of EXIF as a file contains them. */
export const makeExif = (fields: TiffFields): Buffer =>
  Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), tiffDirectory(fields, 8)]);

/** A JPEG with fields of EXIF. */
export function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const header = Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1');
  header.writeUInt16BE(exif.length + 8, 2);
  return Buffer.concat([jpeg.subarray(0, 2), header, exif, jpeg.subarray(2)]);
}
