/** The longest label text, in UTF-16 code units. */
export const maxLabelLength = 10_000;

/**
 * How many columns of a dataset may be labelled, of those that one person labelled or sees labelled. Each read compares
 * the paths of records with the hidden columns.
 */
export const maxLabelledColumns = 2000;

/** How deep parentheses may nest. It bounds the recursion of all code that walks a label. */
export const maxLabelDepth = 100;

/** The longest attribute, in UTF-16 code units, without quotes and escapes. */
export const maxAttributeLength = 256;
