import type { UploadPreview } from '@redoubt/contract';

/** The names of the fields that records will have, as far as a preview tells. */
export interface KnownFields {
  readonly names: readonly string[];
  /** False where each record has keys of its own, of which the preview shows the first. */
  readonly isComplete: boolean;
}

/** The record of a row of a preview; empty for a row that was rejected. */
export const parseRecord = (text: string | null): Readonly<Record<string, unknown>> => {
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
};

/** The columns of a file or table or, for formats without columns, the keys of the first records. */
export const knownFields = (preview: UploadPreview | undefined): KnownFields => {
  const columns = preview?.columns?.map(({ name }) => name) ?? preview?.sourceColumns;
  if (columns !== undefined && columns !== null) return { names: columns, isComplete: true };
  const keys = preview?.rows.flatMap(({ record }) => Object.keys(parseRecord(record)));
  return { names: [...new Set(keys)], isComplete: false };
};
