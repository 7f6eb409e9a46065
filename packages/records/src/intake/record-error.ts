import { badField, RedoubtError } from '@redoubt/errors';

const pathOf = (index: number): string => `records.${String(index)}`;

/** 400 for one record of a write. `index` counts from 0, and `predicate` follows the path of the record. */
export const recordError = (index: number, predicate: string): RedoubtError =>
  badField(pathOf(index), predicate);

/** 413 for one record of a write. */
export const recordTooLarge = (index: number, predicate: string): RedoubtError => {
  const field = pathOf(index);
  const message = `${field} ${predicate}`;
  return new RedoubtError('BadRequestError', message, { code: 413, errors: [{ field, message }] });
};

/** The start of a text, for an error message. */
export const excerpt = (text: string): string => {
  const quoted = JSON.stringify(text.slice(0, 30).toWellFormed());
  return text.length > 30 ? `${quoted.slice(0, -1)}…"` : quoted;
};

/**
 * The message of an error of the record with this index, without its path; undefined for errors about anything else.
 */
export const rejectReason = (error: unknown, index: number): string | undefined => {
  if (!(error instanceof RedoubtError)) return undefined;
  const path = pathOf(index);
  const [first] = error.errors ?? [];
  if (first?.field === path) return `The record${first.message.slice(path.length)}`;
  return first?.field.startsWith(`${path}.`) === true ? first.message.slice(path.length + 1) : undefined;
};
