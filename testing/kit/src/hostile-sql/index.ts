import { dialectTexts } from './dialect-texts.ts';
import { engineTexts } from './engine-texts.ts';

/**
 * More than a thousand statements of attackers. Statements that are harmless in the dialect may succeed.
 * @param dataset a name that may be read; its records have `id` and `name`
 */
export const hostileStatements = (dataset: string): string[] => [
  ...new Set([...engineTexts(dataset), ...dialectTexts(dataset)]),
];
