import type { ApiIndexSection } from './types.ts';

/** The calls that contain every word in their name, method, path, summary or section, grouped by section. */
export const findCalls = (index: readonly ApiIndexSection[], words: string): ApiIndexSection[] => {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  return index.flatMap((section) => {
    const calls = section.calls.filter(({ id, method, path, summary }) => {
      const text = `${id} ${method} ${path} ${summary} ${section.name}`.toLowerCase();
      return sought.every((word) => text.includes(word));
    });
    return calls.length === 0 ? [] : [{ ...section, calls }];
  });
};
