import { maxPictureBytes } from '@redoubt/contract';
import { badRequest, RedoubtError, tooLarge } from '@redoubt/errors';
import sharp from 'sharp';

/** Pixels of a picture before it is drawn anew: one of few bytes could have billions. */
const maxPixels = 40_000_000;
const side = 256;

const startsWith = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

/** Of what kind a file is, by its first bytes, whatever it is called: no other ever reaches a decoder. */
const isKnownKind = (bytes: Buffer): boolean =>
  startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, 0, '\xff\xd8\xff') ||
  (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'));

const unreadable = (what: string): RedoubtError =>
  new RedoubtError('FileParseError', `The body is ${what}: send a whole PNG, JPEG or WebP.`);

/** @throws 413 for one that is too large, 400 for what is no PNG, JPEG or WebP by its first bytes */
export const requirePicture = (bytes: Buffer): void => {
  if (bytes.length === 0) throw badRequest('The body is empty: send the bytes of a picture.');
  if (bytes.length > maxPictureBytes)
    throw tooLarge(`The picture has ${bytes.length} bytes: send one of at most ${maxPictureBytes}.`);
  if (!isKnownKind(bytes)) throw unreadable('no picture of a known kind');
};

/**
 * Draws a picture that was checked anew, as a WebP of 256 by 256, so that nothing of the file is kept but what is to be seen:
 * neither where it was taken nor what else is hidden in it.
 * @throws 400 for one that cannot be drawn
 */
export const reencodePicture = async (bytes: Buffer): Promise<Buffer> => {
  try {
    const drawn = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
    return await drawn.autoOrient().resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer();
  } catch {
    throw unreadable(`a picture that cannot be drawn, or has more than ${maxPixels} pixels`);
  }
};
