import { PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/node';
import { imageSize } from 'image-size';
import { FileParseError } from '../../file-parse-error.ts';
import type { ImageFormat } from '../document-formats.ts';
import { readOrientation } from './read-exif.ts';
import { orient, type Raster, type OpenedImage } from './raster.ts';
import { decodeTiff } from './decode-tiff.ts';
import { damagedImage, requirePixels } from './image-errors.ts';

/** @throws FileParseError when the image is damaged or too large */
export function openImage(bytes: Buffer, format: ImageFormat, fileName: string): OpenedImage {
  if (format === 'tiff') return decodeTiff(bytes, fileName);
  return { pages: 1, decode: () => decodeSingle(bytes, format, fileName) };
}

function decodeSingle(bytes: Uint8Array, format: Exclude<ImageFormat, 'tiff'>, fileName: string): Raster {
  try {
    const { width, height, orientation = readOrientation(bytes) ?? 1 } = imageSize(bytes);
    requirePixels(width, height, fileName);
    const image = PhotonImage.new_from_byteslice(bytes);
    try {
      return orient(rasterOf(image), orientation);
    } finally {
      image.free();
    }
  } catch (error) {
    throw error instanceof FileParseError ? error : damagedImage(fileName, format, error);
  }
}

const rasterOf = (image: PhotonImage): Raster => ({
  width: image.get_width(),
  height: image.get_height(),
  pixels: image.get_raw_pixels(),
});

/** An image with at most this number of pixels on its longer side. */
export function scaledDown(raster: Raster, maxSide: number): Raster {
  const factor = maxSide / Math.max(raster.width, raster.height);
  if (factor >= 1) return raster;
  const image = new PhotonImage(raster.pixels, raster.width, raster.height);
  const width = Math.max(1, Math.round(raster.width * factor));
  const height = Math.max(1, Math.round(raster.height * factor));
  const small = resize(image, width, height, SamplingFilter.Triangle);
  try {
    return rasterOf(small);
  } finally {
    small.free();
    image.free();
  }
}

/** Encodes an image without transparency. @param quality from 1 to 100 */
export function encodeJpeg({ pixels, width, height }: Raster, quality: number): Uint8Array {
  const image = new PhotonImage(pixels, width, height);
  try {
    return image.get_bytes_jpeg(quality);
  } finally {
    image.free();
  }
}
