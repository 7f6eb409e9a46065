import type { Raster } from './raster.ts';

/** The pages of an image. Only a TIFF can have more than one. */
export interface OpenedImage {
  readonly pages: number;
  /**
   * Decodes a page, upright as its metadata says.
   * @param page counted from 1
   * @throws FileParseError
   */
  decode(page: number): Raster;
}
