import { createStorageSlot } from '@docusaurus/theme-common';

/** A result that the reader opened earlier. */
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

/** The results opened last, newest first. Empty if the browser stores nothing or the stored value is invalid. */
export const readRecent = (): RecentResult[] => {
  try {
    const stored: unknown = JSON.parse(createStorageSlot(storageKey).get() ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, kept) : [];
  } catch {
    return [];
  }
};

/** Stores an opened result, in this browser only. */
export const keepRecent = (opened: RecentResult): void => {
  const others = readRecent().filter(({ url }) => url !== opened.url);
  createStorageSlot(storageKey).set(JSON.stringify([opened, ...others].slice(0, kept)));
};

export const forgetRecent = (): void => createStorageSlot(storageKey).del();
