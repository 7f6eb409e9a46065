import { maxPictureBytes } from '@redoubt/contract';
import { badRequest, RedoubtError, tooLarge } from '@redoubt/errors';
import sharp from 'sharp';

/** Maximum number of pixels that are decoded: a small file could have billions. */
const maxPixels = 40_000_000;
const side = 256;

const startsWith = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

/** Checks the type of a file by its first bytes. Files of other types never reach a decoder. */
const isKnownKind = (bytes: Buffer): boolean =>
  startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, 0, '\xff\xd8\xff') ||
  (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'));

const unreadable = (what: string): RedoubtError =>
  new RedoubtError('FileParseError', `The body is ${what}. Send a complete PNG, JPEG or WebP.`);

/** @throws RedoubtError 413 for a file that is too large, 400 if it is not a PNG, JPEG or WebP by its first bytes */
export const requirePicture = (bytes: Buffer): void => {
  if (bytes.length === 0) throw badRequest('The body is empty. Send the bytes of a picture.');
  if (bytes.length > maxPictureBytes)
    throw tooLarge(`The picture has ${bytes.length} bytes. Send one of at most ${maxPictureBytes}.`);
  if (!isKnownKind(bytes)) throw unreadable('not a picture of a supported type');
};

/**
 * Re-encodes a checked picture as a WebP of 256 by 256 pixels. This removes everything invisible from the file, such as
 * the location in its metadata.
 * @throws RedoubtError 400 if it cannot be decoded
 */
export const reencodePicture = async (bytes: Buffer): Promise<Buffer> => {
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
    return await image.autoOrient().resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer();
  } catch {
    throw unreadable(`a picture that cannot be decoded, or has more than ${maxPixels} pixels`);
  }
};
