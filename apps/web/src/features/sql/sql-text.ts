import { quoteName } from './editor/complete-sql.ts';

/** A statement that reads a dataset. */
export const queryOf = (dataset: string): string => `SELECT * FROM ${quoteName(dataset)}`;
