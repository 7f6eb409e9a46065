import type { PageScan } from '../../file-format.ts';

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

/** An image as pixels: four bytes for each, red, green, blue and alpha. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Multiplies and shifts: red, green and blue as ITU-R BT.601 weighs them, as parts of 256. */
const weights = [77, 150, 29] as const;

/** The brightness of an image on white paper. */
export function toGray({ width, height, pixels }: Raster): PageScan {
  const gray = new Uint8Array(width * height);
  for (let index = 0, at = 0; index < gray.length; index++, at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = [
      pixels[at],
      pixels[at + 1],
      pixels[at + 2],
      pixels[at + 3],
    ];
    const brightness = (weights[0] * red + weights[1] * green + weights[2] * blue) >> 8;
    gray[index] = 255 + Math.trunc(((brightness - 255) * alpha) / 255);
  }
  return { width, height, gray };
}

/** Lays an image on white paper, for formats without transparency. */
export function onPaper({ width, height, pixels }: Raster): Raster {
  const opaque = Uint8Array.from(pixels);
  for (let at = 0; at < opaque.length; at += 4) {
    const alpha = opaque[at + 3] ?? 0;
    if (alpha === 255) continue;
    for (let band = at; band < at + 3; band++)
      opaque[band] = 255 + Math.trunc((((opaque[band] ?? 0) - 255) * alpha) / 255);
    opaque[at + 3] = 255;
  }
  return { width, height, pixels: opaque };
}

/** Clockwise turns, in degrees. */
export type Turn = 0 | 90 | 180 | 270;

/** The orientations of EXIF and TIFF, as a mirror image (left to right) that is turned. */
const orientations: Readonly<Record<number, { isMirrored: boolean; turn: Turn }>> = {
  2: { isMirrored: true, turn: 0 },
  3: { isMirrored: false, turn: 180 },
  4: { isMirrored: true, turn: 180 },
  5: { isMirrored: true, turn: 270 },
  6: { isMirrored: false, turn: 90 },
  7: { isMirrored: true, turn: 90 },
  8: { isMirrored: false, turn: 270 },
};

/** An image as its orientation says that it is shown. */
export function orient(image: Raster, orientation: number): Raster {
  const { isMirrored, turn } = orientations[orientation] ?? { isMirrored: false, turn: 0 };
  return turned(isMirrored ? mirrored(image) : image, turn);
}

const wordsOf = (pixels: Uint8Array): Uint32Array =>
  pixels.byteOffset % 4 === 0
    ? new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4)
    : new Uint32Array(Uint8Array.from(pixels).buffer);

function mirrored({ width, height, pixels }: Raster): Raster {
  const from = wordsOf(pixels);
  const to = new Uint32Array(from.length);
  for (let row = 0; row < from.length; row += width)
    for (let column = 0; column < width; column++) to[row + column] = from[row + width - 1 - column] ?? 0;
  return { width, height, pixels: new Uint8Array(to.buffer) };
}

/** Turns an image clockwise. */
export function turned(image: Raster, turn: Turn): Raster {
  if (turn === 0) return image;
  const from = wordsOf(image.pixels);
  const to = new Uint32Array(from.length);
  const size = turnPixels(from, to, image, turn);
  return { ...size, pixels: new Uint8Array(to.buffer) };
}

/** Turns a gray image clockwise. */
export function turnedGray(image: PageScan, turn: Turn): PageScan {
  if (turn === 0) return image;
  const gray = new Uint8Array(image.gray.length);
  return { ...turnPixels(image.gray, gray, image, turn), gray };
}

/** Copies pixels to where they are after a turn. Returns the size of the turned image. */
function turnPixels(
  from: Uint8Array | Uint32Array,
  to: Uint8Array | Uint32Array,
  { width, height }: { width: number; height: number },
  turn: Exclude<Turn, 0>,
): { width: number; height: number } {
  const last = width * height - 1;
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const value = from[index] ?? 0;
      if (turn === 180) to[last - index] = value;
      else if (turn === 90) to[x * height + (height - 1 - y)] = value;
      else to[(width - 1 - x) * height + y] = value;
    }
  }
  return turn === 180 ? { width, height } : { width: height, height: width };
}
