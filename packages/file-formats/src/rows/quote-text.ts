/** Quotes, backslashes, control characters and surrogates. */
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Prints a text as a JSON string. */
export const quoteText = (text: string): string =>
  needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
