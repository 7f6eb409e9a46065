import { createStorageSlot } from '@docusaurus/theme-common';

/** A result that the reader has opened before. */
export interface RecentResult {
  readonly url: string;
  readonly page: string;
  readonly title: string;
}

const storageKey = 'docs-search-recent';
const kept = 5;

const isRecent = (value: unknown): value is RecentResult =>
  typeof value === 'object' &&
  value !== null &&
  ['url', 'page', 'title'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string');

/** What was opened last, newest first; empty when the browser keeps nothing or something else stands there. */
export const readRecent = (): RecentResult[] => {
  try {
    const stored: unknown = JSON.parse(createStorageSlot(storageKey).get() ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, kept) : [];
  } catch {
    return [];
  }
};

/** Keeps a result that was opened, in this browser alone. */
export const keepRecent = (opened: RecentResult): void => {
  const others = readRecent().filter(({ url }) => url !== opened.url);
  createStorageSlot(storageKey).set(JSON.stringify([opened, ...others].slice(0, kept)));
};

export const forgetRecent = (): void => createStorageSlot(storageKey).del();
