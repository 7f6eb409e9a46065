const maxLength = 63;

/**
 * Derives a slug from a name: in lower case, without accents, with single hyphens for other characters, at most 63
 * characters long. Undefined if nothing is left, as with names in other scripts.
 */
export const slugOf = (name: string): string | undefined => {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, maxLength)
    .replace(/-$/, '');
  return slug === '' ? undefined : slug;
};
