import { badField, RedoubtError } from '@redoubt/errors';

/** 400 for one record of a write; `index` counts from 0. */
export const recordError = (index: number, message: string): RedoubtError =>
  badField(`records.${String(index)}`, message);

/** 413 for one record of a write. */
export const recordTooLarge = (index: number, message: string): RedoubtError => {
  const field = `records.${String(index)}`;
  return new RedoubtError('BadRequestError', `${field}: ${message}`, {
    code: 413,
    errors: [{ field, message }],
  });
};

/** The start of a text, for an error message. */
export const excerpt = (text: string): string => {
  const quoted = JSON.stringify(text.slice(0, 30).toWellFormed());
  return text.length > 30 ? `${quoted.slice(0, -1)}…"` : quoted;
};

/** What is wrong with the record of this index, without its place in the write; undefined for errors about anything else. */
export const rejectReason = (error: unknown, index: number): string | undefined => {
  if (!(error instanceof RedoubtError)) return undefined;
  const path = `records.${String(index)}`;
  const [first] = error.errors ?? [];
  if (first?.field === path) return first.message;
  if (first?.field.startsWith(`${path}.`) !== true) return undefined;
  return `${first.field.slice(path.length + 1)}: ${first.message}`;
};
