import { documentFormats } from '../document-formats.ts';

/** The maximum number of characters of a name. */
const maxName = 255;

/** The name of a document inside another as a record can store it: without folders, control characters and marks that turn text around. */
export const cleanName = (name: string): string => {
  const text = cleanText(name);
  return text.slice(text.search(/[^/\\]*$/));
};

/** A name or path without control characters and marks that turn text around. */
export const cleanText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(-maxName)
    .toWellFormed();

/** The name of a document that has none. */
export const nameByType = (noun: string, number: number, mediaType: string): string => {
  const found = documentFormats.find((format) => format.mediaType === mediaType);
  return `${noun}-${String(number)}${found?.extensions[0] ?? ''}`;
};
