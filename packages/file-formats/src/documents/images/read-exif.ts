import type * as ExifReader from 'exifreader';
import { createRequire } from 'node:module';

// A CommonJS package whose functions Node.js does not find as names of a module.
const { load } = createRequire(import.meta.url)('exifreader') as typeof ExifReader;

/** The fields of EXIF that a picture has, by their names in the standard. */
export type ExifFields = Readonly<Record<string, string | number>>;

/** The maximum number of fields, and of characters of one. */
const maxFields = 100;
const maxLength = 1000;

/** Fields that are no data about the picture: places in the file, data of other programs, and pictures. */
const isLeftOut = (name: string): boolean =>
  /(?:Offsets?|ByteCounts|RowsPerStrip|Tables|Notes?|Data|Profile|Resources|Padding|Schema|Matching|Thumbnail)$/.test(
    name,
  );

/** Fields whose value is a fraction. */
const fractions: ReadonlySet<string> = new Set([
  'XResolution',
  'YResolution',
  'FocalPlaneXResolution',
  'FocalPlaneYResolution',
  'CompressedBitsPerPixel',
  'ExposureTime',
  'FNumber',
  'ShutterSpeedValue',
  'ApertureValue',
  'MaxApertureValue',
  'BrightnessValue',
  'ExposureBiasValue',
  'ExposureIndex',
  'SubjectDistance',
  'FocalLength',
  'FlashEnergy',
  'DigitalZoomRatio',
  'Gamma',
  'AmbientTemperature',
  'Humidity',
  'Pressure',
  'WaterDepth',
  'Acceleration',
  'CameraElevationAngle',
]);

/** Times, and the field with the offset of each from UTC. */
const times: Readonly<Record<string, string>> = {
  DateTime: 'OffsetTime',
  DateTimeOriginal: 'OffsetTimeOriginal',
  DateTimeDigitized: 'OffsetTimeDigitized',
};

type Tags = Readonly<
  Record<string, { readonly value?: unknown; readonly description?: unknown } | undefined>
>;

/**
 * Reads the fields of EXIF that a picture has. Damaged ones are left out: they are no reason to reject a picture.
 * @returns undefined if there are none
 */
export function readExif(bytes: Uint8Array): ExifFields | undefined {
  const { exif, gps } = loadTags(bytes);
  const fields: Record<string, string | number> = {};
  const add = (name: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== '' && Object.keys(fields).length < maxFields) fields[name] = value;
  };
  const tags = (exif ?? {}) as Tags;
  for (const name of Object.keys(tags))
    if (/^(?!GPS)[A-Z][A-Za-z0-9]{1,40}$/.test(name) && !isLeftOut(name))
      add(name, name in times ? timeOf(tags, name) : valueOf(tags, name));
  add('GPSLatitude', finite(gps?.Latitude));
  add('GPSLongitude', finite(gps?.Longitude));
  add('GPSAltitude', finite(gps?.Altitude));
  return Object.keys(fields).length === 0 ? undefined : fields;
}

/** The orientation of a picture, from 1 to 8; undefined if its EXIF fields do not tell. */
export function readOrientation(bytes: Uint8Array): number | undefined {
  const value = (loadTags(bytes).exif as Tags | undefined)?.['Orientation']?.value;
  return typeof value === 'number' ? value : undefined;
}

function loadTags(bytes: Uint8Array): Pick<ExifReader.ExpandedTags, 'exif' | 'gps'> {
  try {
    // A copy, because the library reads the whole buffer behind the bytes.
    return load(Uint8Array.from(bytes).buffer, {
      expanded: true,
      includeUnknown: false,
      includeTags: { exif: true, gps: true },
    });
  } catch {
    return {};
  }
}

const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** A number for a number or a fraction, otherwise the text by which people know the value. */
function valueOf(tags: Tags, name: string): string | number | undefined {
  const { value, description } = tags[name] ?? {};
  if (typeof value === 'number') return finite(value);
  if (fractions.has(name)) {
    const [above, below] = Array.isArray(value) ? (value as unknown[]) : [];
    return finite(Number(above) / Number(below));
  }
  return typeof description === 'string' ? cleanText(description) : undefined;
}

/** A time as queries treat it: EXIF separates the parts of a date by colons, and keeps the offset from UTC elsewhere. */
function timeOf(tags: Tags, name: string): string | undefined {
  const text = String(valueOf(tags, name) ?? '');
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined || time === undefined) return text;
  const offset = String(valueOf(tags, times[name] ?? '') ?? '');
  return `${year}-${month}-${day}T${time}${/^[+-]\d\d:\d\d$/.test(offset) ? offset : ''}`;
}

const cleanText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
