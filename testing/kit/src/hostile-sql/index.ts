import { dialectTexts } from './dialect-texts.ts';
import { engineTexts } from './engine-texts.ts';

/**
 * Statements of people who mean harm, a thousand and more. Those that are harmless in the dialect may be answered.
 * @param dataset a name that may be read; its records have `id` and `name`
 */
export const hostileStatements = (dataset: string): string[] => [
  ...new Set([...engineTexts(dataset), ...dialectTexts(dataset)]),
];
