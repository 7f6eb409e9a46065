const longest = 63;

/**
 * The slug of a name: accents dropped, lower case, anything else to single hyphens, at most 63 characters.
 * Undefined where nothing is left, as with names in other scripts.
 */
export const slugOf = (name: string): string | undefined => {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, longest)
    .replace(/-$/, '');
  return slug === '' ? undefined : slug;
};
