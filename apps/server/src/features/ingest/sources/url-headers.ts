import { badField } from '@redoubt/errors';

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;
/** Headers that the transfer itself needs. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'proxy-authorization',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @param place the field in errors. @throws RedoubtError 400 */
export const requireHeaders = (headers: Readonly<Record<string, string>>, place: string): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || !headerValue.test(value)) {
      throw badField(
        place,
        `must be valid HTTP headers, got ${JSON.stringify(name.slice(0, 80))}. Correct its name or its value.`,
      );
    }
    if (ownHeaders.has(name.toLowerCase())) {
      throw badField(place, `must not contain ${name}, which the server sets. Leave it out.`);
    }
  }
};
