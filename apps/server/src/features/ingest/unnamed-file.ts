/**
 * The name of a file for readers who may not see its own one. A number would tell how many files come before it, and some of
 * these have only hidden records.
 */
export const unnamedFile = (id: string): string => `file ${id.slice(0, 8)}`;
