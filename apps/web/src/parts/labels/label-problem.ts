import { LabelSyntaxError, listLabelAttributes, parseLabel } from '@redoubt/labels';

/** Returns why a label cannot be parsed, or undefined if it is valid. */
export const labelProblem = (label: string): string | undefined => {
  try {
    parseLabel(label);
    return undefined;
  } catch (error) {
    if (error instanceof LabelSyntaxError) {
      return `At character ${String(error.position + 1)}: expected ${error.expected}.`;
    }
    throw error;
  }
};

/** The attributes of a label that are not among the known ones. Empty for a label that cannot be parsed. */
export const unknownAttributes = (label: string, known: ReadonlySet<string>): readonly string[] => {
  if (label === '' || labelProblem(label) !== undefined) return [];
  return listLabelAttributes(parseLabel(label)).filter((token) => !known.has(token));
};
