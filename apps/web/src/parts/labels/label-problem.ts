import { LabelSyntaxError, parseLabel } from '@redoubt/labels';

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
