const flag = 16;
const label = 64 * 1024;
const option = 256 * 1024;

/** The text parts of uploads and previews, with the maximum size of each in bytes. */
export const maxPartBytes = {
  datasetId: 256,
  accessControlLabel: label,
  fileOptions: option,
  writeMode: flag,
  keyColumns: option,
  columnSecurityLabelInfo: label,
  customMetadata: label,
  isPartial: flag,
  processAsDocument: flag,
  ocrLanguages: option,
} as const;
export type TextPart = keyof typeof maxPartBytes;

/** Maximum size of the texts before `datasetId`, together, in bytes: the right to write is not checked yet. */
export const maxUnnamedPartBytes = 64 * 1024;

/** Maximum number of uploads and previews of a person that arrive at once. */
export const maxOpenUploads = 16;

/** Adds the limit of a part to its description. */
export const describePart = (part: TextPart, description: string): string =>
  `${description} At most ${String(maxPartBytes[part])} bytes.`;
