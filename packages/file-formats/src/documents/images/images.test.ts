import {
  makeExif,
  makeJpeg,
  makePdf,
  makePng,
  makeRaster,
  makeScanPdf,
  readDocument,
  readDocumentRows,
  withExif,
} from '@redoubt/file-formats/testing';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { PageScan } from '../../file-format.ts';
import { FileParseError } from '../../file-parse-error.ts';
import { drawPage } from '../draw-page.ts';
import { readExif } from './read-exif.ts';

/** The fields of EXIF by their numbers. */
const tags = { make: 271, orientation: 274, dateTime: 306, exif: 34_665, gps: 34_853 } as const;

const camera = makeExif({
  [tags.make]: 'Tower Cam',
  [tags.orientation]: 6,
  [tags.dateTime]: '2026:03:02 08:00:00',
  [tags.exif]: {
    directory: {
      33_437: [[28, 10]],
      36_867: '2026:03:01 07:30:00',
      36_881: '+02:00',
      37_386: [[50, 0]],
      37_500: 'secrets of the maker',
    },
  },
  [tags.gps]: {
    directory: {
      1: 'S',
      2: [
        [33, 1],
        [30, 1],
        [0, 1],
      ],
      3: 'E',
      4: [
        [151, 1],
        [15, 1],
        [0, 1],
      ],
    },
  },
});

/** A picture that differs in all corners: white, with a black top left quarter and a gray top right one. */
const corners = makeRaster(32, 16, (x, y) => {
  if (y >= 8) return 255;
  return x < 16 ? 0 : 128;
});

const scanOf = async (content: Uint8Array, fileName: string): Promise<PageScan> => {
  const [row] = await readDocumentRows(content, fileName, { scansFrom: 0 });
  assert.ok(row?.kind === 'row' && row.scan !== undefined);
  return row.scan;
};

/** The brightness of the corners of a picture, clockwise from the top left, as 0, 1 or 2. */
const cornersOf = ({ width, height, gray }: PageScan): number[] =>
  [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ].map(([x = 0, y = 0]) =>
    Math.round((gray[Math.floor(y * height) * width + Math.floor(x * width)] ?? 0) / 128),
  );

/** The corners of the picture as each orientation of EXIF shows them. */
const shown: Readonly<Record<number, readonly number[]>> = {
  1: [0, 1, 2, 2],
  2: [1, 0, 2, 2],
  3: [2, 2, 0, 1],
  4: [2, 2, 1, 0],
  5: [0, 2, 2, 1],
  6: [2, 0, 1, 2],
  7: [2, 1, 0, 2],
  8: [1, 2, 2, 0],
};

/** The maker in the EXIF fields of a record. */
const exifOf = async (content: Uint8Array, fileName: string): Promise<unknown> => {
  const { pages } = await readDocument(content, fileName);
  return (pages[0] as { exif?: { Make?: string } } | undefined)?.exif?.Make;
};

/** A PDF whose pages viewers turn. */
const rotate = (pdf: Buffer): Buffer =>
  Buffer.from(pdf.toString('latin1').replace('/MediaBox', '/Rotate 90 /MediaBox'), 'latin1');

/** What becomes of a picture: its size, or the reason why it is rejected. */
const outcomeOf = async (content: Buffer, fileName: string): Promise<string> => {
  try {
    const { width, height } = await scanOf(content, fileName);
    return `${String(width)} × ${String(height)}`;
  } catch (error) {
    assert.ok(error instanceof FileParseError, String(error));
    return error.text;
  }
};

describe('fields of EXIF', () => {
  test('a picture has its fields, with numbers, times and the place in degrees', () => {
    const jpeg = withExif(makeJpeg(corners), camera);
    assert.deepEqual(readExif(jpeg), {
      Make: 'Tower Cam',
      Orientation: 6,
      DateTime: '2026-03-02T08:00:00',
      FNumber: 2.8,
      DateTimeOriginal: '2026-03-01T07:30:00+02:00',
      OffsetTimeOriginal: '+02:00',
      GPSLatitude: -33.5,
      GPSLongitude: 151.25,
    });
  });

  test('the record of a picture has them, in JPG, PNG and TIFF alike, and one without fields has none', async () => {
    assert.equal(await exifOf(withExif(makeJpeg(corners), camera), 'a.jpg'), 'Tower Cam');
    assert.equal(await exifOf(makePng(8, 8, undefined, [['eXIf', camera]]), 'a.png'), 'Tower Cam');
    const heif = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')]);
    assert.equal(await exifOf(heif, 'a.heic'), undefined);
    assert.equal(await exifOf(makeJpeg(corners), 'a.jpg'), undefined);
  });

  test('damaged fields are no reason to reject a picture', async () => {
    const jpeg = makeJpeg(corners);
    for (let length = 0; length < camera.length; length += 7) {
      const cut = withExif(jpeg, camera.subarray(0, length));
      const found = cornersOf(await scanOf(cut, 'a.jpg'));
      // The orientation may be before the cut.
      assert.deepEqual(
        found.toSorted((a, b) => a - b),
        [0, 1, 2, 2],
      );
      const wrong = Buffer.from(camera);
      wrong.fill(0xff, length, length + 4);
      readExif(withExif(jpeg, wrong));
    }
  });
});

describe('pictures that are turned', () => {
  for (const [orientation, expected] of Object.entries(shown))
    test(`a JPG and a PNG with the orientation ${orientation} are recognised and shown upright`, async () => {
      const exif = makeExif({ [tags.orientation]: Number(orientation) });
      const lines = Buffer.concat(
        Array.from({ length: 16 }, (_, y) =>
          Buffer.from([0, ...Array.from({ length: 32 }, (__, x) => corners.pixels[(y * 32 + x) * 4] ?? 0)]),
        ),
      );
      const files = {
        'a.jpg': withExif(makeJpeg(corners), exif),
        'a.png': makePng(32, 16, lines, [['eXIf', exif]]),
      };
      for (const [fileName, content] of Object.entries(files)) {
        assert.deepEqual(cornersOf(await scanOf(content, fileName)), expected, fileName);
        const format = fileName === 'a.jpg' ? 'jpeg' : 'png';
        const picture = await drawPage(content, { fileName, format, page: 1, maxSide: 100, turn: 0 });
        assert.deepEqual(
          cornersOf(await scanOf(picture?.jpeg ?? Buffer.alloc(0), 'drawn.jpg')),
          expected,
          `picture of ${fileName}`,
        );
      }
    });

  test('a PDF page with a rotation is recognised and shown as viewers show it', async () => {
    const scan = rotate(makeScanPdf(makeJpeg(corners), 32, 16));
    const page = await scanOf(scan, 'a.pdf');
    assert.ok(page.height > page.width);
    assert.deepEqual(cornersOf(page), shown[6]);
    const text = rotate(makePdf(['Runway']));
    const picture = await drawPage(text, {
      fileName: 'a.pdf',
      format: 'pdf',
      page: 1,
      maxSide: 1000,
      turn: 0,
    });
    assert.ok(picture !== undefined && picture.width > picture.height);
    const [word] = picture.words;
    assert.equal(word?.text, 'Runway');
    const [left, top, width, height] = word.box;
    assert.ok(height > width, 'the word stands upright on the turned page');
    assert.ok(left >= 0 && top >= 0 && left + width <= picture.width && top + height <= picture.height);
  });
});

describe('hostile pictures', () => {
  const jpeg = makeJpeg(corners);
  const frameAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  /** A JPEG whose frame says that it has this size. */
  const frameOf = (width: number, height: number): Buffer => {
    const end = frameAt + 2 + jpeg.readUInt16BE(frameAt + 2);
    const frame = Buffer.from(jpeg.subarray(frameAt, end));
    frame.writeUInt16BE(height, 5);
    frame.writeUInt16BE(width, 7);
    return frame;
  };
  const jpegWith = (...frames: Buffer[]): Buffer =>
    Buffer.concat([jpeg.subarray(0, frameAt), ...frames, jpeg.subarray(frameAt + frameOf(1, 1).length)]);

  test('a size that is a lie is refused before anything is decoded', async () => {
    assert.match(await outcomeOf(makePng(60_000, 60_000, Buffer.alloc(10)), 'a.png'), /60000 × 60000 pixels/);
    assert.match(await outcomeOf(jpegWith(frameOf(65_000, 65_000)), 'a.jpg'), /65000 × 65000 pixels/);
    const gif = Buffer.from('GIF89a\xff\xff\xff\xff\0\0\0', 'latin1');
    assert.match(await outcomeOf(gif, 'a.gif'), /65535 × 65535 pixels/);
    const tiff = makeExif({
      256: 60_000,
      257: 60_000,
      258: 8,
      259: 1,
      262: 1,
      273: 8,
      277: 1,
      278: 60_000,
      279: 10,
    });
    assert.match(await outcomeOf(tiff, 'a.tif'), /60000 × 60000 pixels/);
  });

  test('a second size in a JPG cannot get round the limit', async () => {
    assert.match(
      await outcomeOf(jpegWith(frameOf(32, 16), frameOf(65_000, 65_000)), 'a.jpg'),
      /damaged|32 × 16/,
    );
    assert.match(await outcomeOf(jpegWith(frameOf(65_000, 65_000), frameOf(32, 16)), 'a.jpg'), /pixels/);
  });

  test('a frame of a GIF that is larger than its canvas is not decoded', async () => {
    const frame = '\x2c\0\0\0\0\xff\xff\xff\xff\x80\0\0\0\xff\xff\xff\x02\x02\x4c\x01\0\x3b';
    const gif = Buffer.from(`GIF89a\x0a\0\x0a\0\0\0\0${frame}`, 'latin1');
    assert.match(await outcomeOf(gif, 'a.gif'), /damaged|10 × 10/);
  });

  test('a PNG that grows without end when unpacked takes no more memory than its size says', async () => {
    const bomb = makePng(100, 100, Buffer.alloc(300_000_000));
    assert.ok(bomb.length < 400_000);
    const text = Buffer.concat([
      Buffer.from('Comment\0\0', 'latin1'),
      deflateSync(Buffer.alloc(300_000_000)),
    ]);
    const before = process.memoryUsage().rss;
    assert.match(await outcomeOf(bomb, 'a.png'), /damaged|100 × 100/);
    assert.match(
      await outcomeOf(makePng(100, 100, undefined, [['zTXt', text]]), 'a.png'),
      /damaged|100 × 100/,
    );
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 250_000_000, `memory grew by ${String(grown)} bytes`);
  });
});
