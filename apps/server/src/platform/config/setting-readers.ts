import { isAbsolute, join } from 'node:path';

/** A value that a setting does not accept. `readConfig` adds the name of the setting and what to do. */
export class SettingMismatch extends Error {
  /** Completes "must be …". */
  readonly expected: string;
  /** What was set, as a message may show it. */
  readonly got: string;

  constructor(expected: string, got: string) {
    super(`must be ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
  }
}

/**
 * The error of a reader for a value that it does not accept.
 * @param expected completes "must be …"
 * @param value what was set; leave it out if it may contain a secret, which must not be shown
 */
export const unexpected = (expected: string, value?: string): SettingMismatch =>
  new SettingMismatch(
    expected,
    value === undefined ? 'another value (not shown, as it may contain a secret)' : `"${value}"`,
  );

/** Requires a minimum length of a secret, without showing it. */
export const requireSecretLength = (value: string | undefined, length: number): void => {
  if (value !== undefined && value.length < length)
    throw new SettingMismatch(`at least ${length} characters long`, `${value.length} characters`);
};

/** Reads a whole number from `min` to `max`; `fallback` if the variable is not set. */
export const integer =
  (min: number, max: number, fallback: number) =>
  (text: string | undefined): number => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw unexpected(`a whole number from ${min} to ${max}`, text);
    }
    return value;
  };

const oneOf =
  <const T extends string>(values: readonly T[], fallback: T) =>
  (text: string | undefined): T => {
    if (text === undefined) return fallback;
    const found = values.find((value) => value === text);
    if (found === undefined)
      throw unexpected(values.length === 1 ? `"${values[0]}"` : `one of ${values.join(', ')}`, text);
    return found;
  };

/** Reads one of the values; undefined if the variable is not set. */
export const optionalOneOf =
  <const T extends string>(values: readonly T[]) =>
  (text: string | undefined): T | undefined =>
    text === undefined ? undefined : oneOf(values, text as T)(text);

/** Reads any text; `fallback` if the variable is not set. */
export const text =
  (fallback: string) =>
  (value: string | undefined): string =>
    value ?? fallback;

export const postgresUrl = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  if (!/^postgres(ql)?:\/\//.test(value))
    throw unexpected('a URL of the form postgres://user:password@host:port/database');
  return value;
};

export const clickhouseUrl = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain) {
    throw unexpected(
      'a URL of the form http://host:8123 or https://host:8443, with the user and password in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD',
    );
  }
  return value;
};

/** Reads a name that needs no quotes, because it is written into engine statements without them. */
export const engineName =
  <T extends string | undefined>(fallback: T) =>
  (value: string | undefined): string | T => {
    if (value === undefined) return fallback;
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value))
      throw unexpected('a name of letters, digits and "_" that does not start with a digit', value);
    return value;
  };

export const s3Endpoint = (value: string | undefined): string | undefined => {
  const url = value !== undefined && URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.pathname === '/';
  if (value !== undefined && (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain))
    throw unexpected('a URL of the form https://host or http://host:9000');
  return value;
};

export const s3Bucket = (value: string | undefined): string | undefined => {
  if (value !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value))
    throw unexpected('3 to 63 lower-case letters, digits, "." and "-"', value);
  return value;
};

/** Reads names of buckets, separated by commas. */
export const s3Buckets = (value: string | undefined): string[] =>
  value === undefined ? [] : value.split(',').flatMap((name) => s3Bucket(name.trim()) ?? []);

/** Reads a prefix of names, and adds the slash at its end. */
export const s3Prefix = (value: string | undefined): string => {
  if (value === undefined) return '';
  if (!/^([A-Za-z0-9_][A-Za-z0-9._-]*\/?)+$/.test(value) || value.length > 200)
    throw unexpected('up to 200 letters, digits, ".", "_", "-" and "/"', value);
  return value.endsWith('/') ? value : `${value}/`;
};

/** Reads a secret of at least 16 characters. */
export const metricsToken = (value: string | undefined): string | undefined => {
  requireSecretLength(value, 16);
  return value;
};

export const collector = (value: string | undefined): string | undefined => {
  if (value !== undefined && !/^https?:\/\/[^\s@]+$/.test(value))
    throw unexpected('a URL of the form http://host:4318');
  return value;
};

/** Reads a secret of at least 32 characters. */
export const signingKey = (value: string | undefined): string | undefined => {
  requireSecretLength(value, 32);
  return value;
};

/** Reads keys that are separated by commas, each of at least 32 characters. */
export const secretKeys = (value: string | undefined): readonly string[] | undefined => {
  const keys = value?.split(',').map((key) => key.trim());
  for (const key of keys ?? []) requireSecretLength(key, 32);
  return keys;
};

/** Reads an http or https URL, and removes the slashes at its end. */
export const publicUrl = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain)
    throw unexpected('a URL of the form https://data.example.org', value);
  return value.replace(/\/+$/, '');
};

export const smtpUrl = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isKnown = url?.search === '' || url?.search === '?tls=none';
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !isKnown)
    throw unexpected('a URL of the form smtps://user:password@host:465');
  return value;
};

export const mailAddress = (value: string | undefined): string | undefined => {
  if (value !== undefined && !/^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
    throw unexpected('an email address such as redoubt@example.org', value);
  return value;
};

const builtConsole = join(import.meta.dirname, '../../../../web/build');

/** Reads a folder: by default that of the built console; undefined for "none". */
export const consoleFolder = (value: string | undefined): string | undefined =>
  value === 'none' ? undefined : (value ?? builtConsole);

const builtDocs = join(import.meta.dirname, '../../../../docs/build');

/** Reads a folder: by default that of the built documentation; undefined for "none". */
export const docsFolder = (value: string | undefined): string | undefined =>
  value === 'none' ? undefined : (value ?? builtDocs);

/** Reads the languages of text recognition. */
export const ocrLanguages = (text = 'eng'): string[] => {
  const languages = text.split('+');
  const isWrong =
    languages.length > 5 || languages.some((name) => !/^[a-z]{3}(?:_[A-Za-z]{1,10}){0,3}$/.test(name));
  if (isWrong) throw unexpected('up to five names of languages, separated by +, such as deu+eng', text);
  return languages;
};

const isCommand = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((word) => typeof word === 'string' && !word.includes('\0')) &&
  isAbsolute(String(value[0]));

/** Reads command lines by name, as JSON. */
export const commands = (value: string | undefined): Readonly<Record<string, readonly string[]>> => {
  if (value === undefined) return {};
  const expected =
    'a JSON object of command lines, such as {"sqlite": ["/usr/bin/python3", "/opt/sqlite.py"]}: names of letters, digits, "-" and "_", each with a list of words that begins with an absolute path';
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw unexpected(expected, value);
  }
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const entries = isObject ? Object.entries(parsed as object) : [];
  if (!isObject || !entries.every(([name, words]) => /^[A-Za-z0-9_-]{1,100}$/.test(name) && isCommand(words)))
    throw unexpected(expected, value);
  return Object.fromEntries(entries) as Record<string, string[]>;
};
