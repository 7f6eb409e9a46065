import utif, { type IFD } from 'utif2';
import { FileParseError } from '../../file-parse-error.ts';
import { damagedImage, requirePixels } from './image-errors.ts';
import { orient, type OpenedImage } from './raster.ts';

const tags = { subfileType: 't254', width: 't256', height: 't257', orientation: 't274' } as const;
/** A smaller copy of another page, or its mask. */
const reduced = 1;
const mask = 4;

const numberOf = (directory: IFD, tag: string): number => {
  const value: unknown = directory[tag];
  return Number(Array.isArray(value) ? value[0] : value);
};

/** @throws FileParseError when the image is damaged */
export function decodeTiff(bytes: Buffer, fileName: string): OpenedImage {
  const pages = pagesOf(bytes, fileName);
  return {
    pages: pages.length,
    decode: (page) => {
      const directory = pages[page - 1];
      if (directory === undefined) throw damagedImage(fileName, 'tiff', `it has no page ${String(page)}`);
      requirePixels(numberOf(directory, tags.width), numberOf(directory, tags.height), fileName);
      try {
        utif.decodeImage(bytes, directory);
        const { width, height } = directory;
        const pixels = utif.toRGBA8(directory);
        // The pages stay in the list, and their pixels would add up.
        directory.data = new Uint8Array();
        if (pixels.length !== width * height * 4) throw new Error('it has too few pixels');
        return orient({ width, height, pixels }, numberOf(directory, tags.orientation));
      } catch (error) {
        throw damagedImage(fileName, 'tiff', error);
      }
    },
  };
}

function pagesOf(bytes: Buffer, fileName: string): IFD[] {
  try {
    const pages = utif
      .decode(bytes)
      .filter(
        (directory) =>
          numberOf(directory, tags.width) > 0 &&
          numberOf(directory, tags.height) > 0 &&
          ((numberOf(directory, tags.subfileType) || 0) & (reduced | mask)) === 0,
      );
    if (pages.length === 0) throw new Error('it has no pages');
    return pages;
  } catch (error) {
    if (error instanceof FileParseError) throw error;
    throw damagedImage(fileName, 'tiff', error);
  }
}
