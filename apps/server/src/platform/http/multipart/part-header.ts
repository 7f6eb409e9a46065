import { badRequest } from '@redoubt/errors';
import { headerToken, parseHeaderValue, quote, type HeaderValue } from './header-value.ts';

/** What the header of a part says about it. */
export interface PartHeader {
  name: string;
  /** Undefined for a text. */
  fileName: string | undefined;
  /** The media type in lower case, without parameters; undefined if none was sent. */
  mediaType: string | undefined;
  /** The character set of a text. */
  charset: string;
}

/** The error for a part that is not understood. Without its label, rows would have none. */
const unreadable = (problem: string): Error =>
  badRequest(`The body has a part that cannot be read: ${problem}. Nothing was stored; correct it.`);

/** A browser sends three lines. */
const maxLines = 50;

const headerLine = new RegExp(`^(${headerToken}):[ \\t]*(.*?)[ \\t]*$`);
/** The values of the header lines by name, in lower case. Continued lines are joined. */
const readLines = (text: string): ReadonlyMap<string, readonly string[]> => {
  const lines = new Map<string, string[]>();
  const unfolded = text === '' ? [] : text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  if (unfolded.length > maxLines)
    throw unreadable(
      `its header must have at most ${String(maxLines)} lines, got ${String(unfolded.length)}`,
    );
  for (const line of unfolded) {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name === undefined || value === undefined || /[\r\n\0]/.test(line))
      throw unreadable(`each line of its header must be "name: value", got ${quote(line)}`);
    const key = name.toLowerCase();
    lines.set(key, [...(lines.get(key) ?? []), value]);
  }
  return lines;
};

const onlyValue = (lines: ReadonlyMap<string, readonly string[]>, name: string): string | undefined => {
  const values = lines.get(name) ?? [];
  if (values.length > 1) throw unreadable(`its header must have ${name} once, got it twice`);
  return values[0];
};

/** Decodes the value of `filename*`, as in `utf-8''na%C3%AFve.csv`. */
const decodeExtended = (text: string): string => {
  const encoded = /^utf-8'[^']*'([^']*)$/i.exec(text)?.[1];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // Rejected below.
  }
  throw unreadable(`filename* must be like utf-8''name.csv, got ${quote(text)}`);
};

/** The last segment of a path: some clients send all of it. */
const baseName = (path: string): string => {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name === '.' || name === '..' ? '' : name;
};

const fileNameOf = ({ parameters }: HeaderValue): string | undefined => {
  const extended = parameters.get('filename*');
  const plain = parameters.get('filename');
  if (extended !== undefined) return baseName(decodeExtended(extended));
  return plain === undefined ? undefined : baseName(plain);
};

/** The encodings that leave bytes as they are. */
const plainEncodings = ['7bit', '8bit', 'binary'];

/**
 * Parses the header of a part of multipart/form-data.
 * @param text its lines, separated by CRLF
 * @throws RedoubtError 400 for everything that is not understood
 */
export const parsePartHeader = (text: string): PartHeader => {
  const lines = readLines(text);
  const sent = onlyValue(lines, 'content-disposition');
  if (sent === undefined)
    throw unreadable('it must have the header Content-Disposition: form-data; name="…", got none');
  const disposition = parseHeaderValue('Content-Disposition', sent, unreadable);
  const name = disposition.parameters.get('name');
  if (disposition.value !== 'form-data' || name === undefined || name === '')
    throw unreadable(`Content-Disposition must be form-data with a name, got ${quote(sent)}`);
  if (disposition.parameters.has('name*'))
    throw unreadable('Content-Disposition must have a name without name*, got both');
  const encoding = onlyValue(lines, 'content-transfer-encoding');
  if (encoding !== undefined && !plainEncodings.includes(encoding.toLowerCase()))
    throw unreadable(
      `Content-Transfer-Encoding must be ${plainEncodings.join(', ')}, got ${quote(encoding)}`,
    );
  const type = onlyValue(lines, 'content-type');
  const media = type === undefined ? undefined : parseHeaderValue('Content-Type', type, unreadable);
  if (media?.value.startsWith('multipart/') === true)
    throw unreadable(`its Content-Type must not be multipart, got ${quote(media.value)}`);
  return {
    name,
    fileName: fileNameOf(disposition),
    mediaType: media?.value,
    charset: media?.parameters.get('charset') ?? 'utf-8',
  };
};
