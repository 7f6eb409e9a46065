import { listLabelAttributes, parseLabel } from '@redoubt/labels';

/** Lists the attribute tokens that occur in labels, each once. */
export const listLabelTokens = (labels: readonly string[]): string[] => [
  ...new Set(labels.flatMap((label) => listLabelAttributes(parseLabel(label)))),
];
