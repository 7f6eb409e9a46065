import { join } from 'node:path';

export const integer =
  (min: number, max: number, fallback: number) =>
  (text: string | undefined): number => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new Error(`is "${text}"; expected a whole number from ${min} to ${max}`);
    }
    return value;
  };

const oneOf =
  <const T extends string>(values: readonly T[], fallback: T) =>
  (text: string | undefined): T => {
    if (text === undefined) return fallback;
    const found = values.find((value) => value === text);
    if (found === undefined) throw new Error(`is "${text}"; expected one of ${values.join(', ')}`);
    return found;
  };

export const optionalOneOf =
  <const T extends string>(values: readonly T[]) =>
  (text: string | undefined): T | undefined =>
    text === undefined ? undefined : oneOf(values, text as T)(text);

export const text =
  (fallback: string) =>
  (value: string | undefined): string =>
    value ?? fallback;

export const postgresUrl = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  if (!/^postgres(ql)?:\/\//.test(value))
    throw new Error('is no address of the form postgres://user:password@host:port/database');
  return value;
};

export const clickhouseUrl = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain) {
    throw new Error(
      'is no address of the form http://host:8123 or https://host:8443; user and password are settings of their own',
    );
  }
  return value;
};

/** A name that stands in statements as it is. */
export const engineName =
  <T extends string | undefined>(fallback: T) =>
  (value: string | undefined): string | T => {
    if (value === undefined) return fallback;
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value))
      throw new Error(`is "${value}"; expected letters, digits and "_"`);
    return value;
  };

export const s3Endpoint = (value: string | undefined): string | undefined => {
  const url = value !== undefined && URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.pathname === '/';
  if (value !== undefined && (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain))
    throw new Error('is no address of the form https://host or http://host:9000');
  return value;
};

export const s3Bucket = (value: string | undefined): string | undefined => {
  if (value !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value))
    throw new Error(`is "${value}"; expected 3 to 63 small letters, digits, "." and "-"`);
  return value;
};

/** What names begin with, with a slash behind it unless it is empty. */
export const s3Prefix = (value: string | undefined): string => {
  if (value === undefined) return '';
  if (!/^([A-Za-z0-9_][A-Za-z0-9._-]*\/?)+$/.test(value) || value.length > 200)
    throw new Error(`is "${value}"; expected up to 200 letters, digits, ".", "_", "-" and "/"`);
  return value.endsWith('/') ? value : `${value}/`;
};

export const metricsToken = (value: string | undefined): string | undefined => {
  if (value !== undefined && value.length < 16)
    throw new Error('is shorter than 16 characters: set a longer one');
  return value;
};

export const collector = (value: string | undefined): string | undefined => {
  if (value !== undefined && !/^https?:\/\/[^\s@]+$/.test(value))
    throw new Error('is no address of the form http://host:4318');
  return value;
};

export const signingKey = (value: string | undefined): string | undefined => {
  if (value !== undefined && value.length < 32)
    throw new Error('is shorter than 32 characters: set a longer one, or none, and one is made');
  return value;
};

export const secretKeys = (value: string | undefined): readonly string[] | undefined => {
  const keys = value?.split(',').map((key) => key.trim());
  if (keys?.some((key) => key.length < 32))
    throw new Error('has a key of less than 32 characters: set longer ones, or none, and one is made');
  return keys;
};

export const publicUrl = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain)
    throw new Error(`is "${value}"; expected an address of the form https://data.example.org`);
  return value.replace(/\/+$/, '');
};

export const smtpUrl = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isKnown = url?.search === '' || url?.search === '?tls=none';
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !isKnown)
    throw new Error('is no address of the form smtps://user:password@host:465');
  return value;
};

export const mailAddress = (value: string | undefined): string | undefined => {
  if (value !== undefined && !/^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
    throw new Error(`is "${value}"; expected an address such as redoubt@example.org`);
  return value;
};

const builtDocs = join(import.meta.dirname, '../../../../docs/build');

export const docsFolder = (value: string | undefined): string | undefined =>
  value === 'none' ? undefined : (value ?? builtDocs);
