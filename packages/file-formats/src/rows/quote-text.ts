/** Quotes, backslashes, control characters and surrogates. */
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** A text as a JSON string. */
export const quoteText = (text: string): string =>
  needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
