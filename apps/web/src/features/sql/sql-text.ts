import { quoteName } from './editor/complete-sql.ts';

/** The text of a statement that reads a dataset. */
export const queryOf = (dataset: string): string => `SELECT * FROM ${quoteName(dataset)}`;
