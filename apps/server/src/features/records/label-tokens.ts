import { labelAttributes, parseLabel } from '@redoubt/labels';

/** The attributes that labels name, each once. */
export const tokensOf = (labels: readonly string[]): string[] => [
  ...new Set(labels.flatMap((label) => labelAttributes(parseLabel(label)))),
];
