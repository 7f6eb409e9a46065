import { listLabelAttributes, parseLabel } from '@redoubt/labels';

/** The attributes that labels name, each once. */
export const listLabelTokens = (labels: readonly string[]): string[] => [
  ...new Set(labels.flatMap((label) => listLabelAttributes(parseLabel(label)))),
];
