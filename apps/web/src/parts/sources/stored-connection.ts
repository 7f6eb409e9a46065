import type { ConnectionCreate } from '@redoubt/contract';

export type SourceTypeName = ConnectionCreate['type'];
export type Allowed = NonNullable<ConnectionCreate['allowed']>;

/** The restriction that each type of source has. */
export const restrictions: Readonly<Record<SourceTypeName, keyof Allowed | undefined>> = {
  URL: 'urlPrefixes',
  S3: 'prefixes',
  JDBC: 'tables',
  KAFKA: 'topics',
  OTHER: 'streams',
};

/** The entries of what may be read, one a line. */
export const allowedLines = (type: SourceTypeName, allowed: Allowed | null): string => {
  const name = restrictions[type];
  return name === undefined ? '' : (allowed?.[name] ?? []).join('\n');
};

/** Where a connection leads, in words. */
export const targetText = (target: object): string =>
  Object.entries(target)
    .filter(([name]) => name !== 'databaseType')
    .flatMap(([, value]) => value as unknown)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .join(' · ');
