/** PostgreSQL keeps no NUL in texts. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
