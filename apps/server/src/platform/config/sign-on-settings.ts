import { isProxy } from '../http/client-address.ts';
import { define } from './setting.ts';

/** An address of a provider: with https, or on this machine. */
const providerAddress =
  <T extends string | undefined>(fallback: T) =>
  (value: string | undefined): string | T => {
    if (value === undefined) return fallback;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
    const isOwnMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '');
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnMachine);
    if (!isPlain || !isSafe)
      throw new Error(`is "${value}"; expected an address of the form https://id.example.org`);
    return value.replace(/\/+$/, '');
  };

const asSet = (value: string | undefined): string | undefined => value;

const listOf = (value: string | undefined): readonly string[] =>
  value === undefined
    ? []
    : value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean);

const networks = (value: string | undefined): readonly string[] => {
  const peers = listOf(value);
  const wrong = peers.find((peer) => !isProxy(peer));
  if (wrong !== undefined)
    throw new Error(`has "${wrong}"; expected addresses and networks such as 10.0.0.5, 10.1.0.0/16`);
  return peers;
};

const sharedSecret = (value: string | undefined): string | undefined => {
  if (value !== undefined && value.length < 32)
    throw new Error('is shorter than 32 characters: set a longer one');
  return value;
};

const headerName = (value: string | undefined): string => {
  if (value !== undefined && !/^[A-Za-z][A-Za-z0-9-]{0,99}$/.test(value))
    throw new Error(`is "${value}"; expected the name of a header`);
  return (value ?? 'X-Forwarded-Email').toLowerCase();
};

const yesOrNo = (value: string | undefined): boolean => {
  if (value !== undefined && value !== 'yes' && value !== 'no')
    throw new Error(`is "${value}"; expected yes or no`);
  return value === 'yes';
};

const off = 'none: nobody signs in by it';
const client = (name: string) =>
  define({ description: `The id of this server's client at ${name}.`, default: off, read: asSet });
const secret = (name: string) =>
  define({ description: `The secret of the client at ${name}.`, default: 'none', read: asSet });
const issuer = (name: string, example: string) =>
  define({
    description: `The issuer of ${name}, such as ${example}.`,
    default: off,
    read: providerAddress(undefined),
  });

/** The settings of single sign-on; the documentation says how each provider is set up. */
export const signOnSettings = {
  KEYCLOAK_ISSUER: issuer('Keycloak', 'https://id.example.org/realms/main'),
  KEYCLOAK_CLIENT_ID: client('Keycloak'),
  KEYCLOAK_CLIENT_SECRET: secret('Keycloak'),
  MICROSOFT_ISSUER: issuer(
    'Microsoft Entra ID, of one tenant',
    'https://login.microsoftonline.com/<tenant id>/v2.0',
  ),
  MICROSOFT_CLIENT_ID: client('Microsoft'),
  MICROSOFT_CLIENT_SECRET: secret('Microsoft'),
  OKTA_ISSUER: issuer('Okta', 'https://example.okta.com/oauth2/default'),
  OKTA_CLIENT_ID: client('Okta'),
  OKTA_CLIENT_SECRET: secret('Okta'),
  GOOGLE_CLIENT_ID: client('Google'),
  GOOGLE_CLIENT_SECRET: secret('Google'),
  GOOGLE_ISSUER: define({
    description: 'The issuer of Google.',
    default: 'https://accounts.google.com',
    read: providerAddress('https://accounts.google.com'),
  }),
  GOOGLE_TOKENINFO_URL: define({
    description: 'Where Google says to whom an access token was issued.',
    default: 'https://oauth2.googleapis.com/tokeninfo',
    read: providerAddress('https://oauth2.googleapis.com/tokeninfo'),
  }),
  GITHUB_CLIENT_ID: client('GitHub'),
  GITHUB_CLIENT_SECRET: secret('GitHub'),
  GITHUB_URL: define({
    description: 'Where people sign in to GitHub, or to a GitHub Enterprise Server.',
    default: 'https://github.com',
    read: providerAddress('https://github.com'),
  }),
  GITHUB_API_URL: define({
    description: 'The API of GitHub, or of that server (https://github.example.org/api/v3).',
    default: 'https://api.github.com',
    read: providerAddress('https://api.github.com'),
  }),
  SSO_TRUSTED_ISSUERS: define({
    description:
      'What the addresses of identity providers of workspaces begin with by which people may sign in, with commas between. Whoever can make clients there can read as people who use it.',
    default: 'none: nobody signs in by the provider of a workspace',
    read: (value) => listOf(value).map((part) => providerAddress('')(part)),
  }),
  ALLOW_PRIVATE_ADDRESSES: define({
    description:
      'Whether the server calls addresses of private networks and of its own machine that users name (yes or no).',
    default: 'no',
    read: yesOrNo,
  }),
  PROXY_SIGN_IN_FROM: define({
    description:
      'The addresses and networks of proxies that may sign people in (strategy "proxy"), with commas between.',
    default: 'none: it is off',
    read: networks,
  }),
  PROXY_SIGN_IN_SECRET: define({
    description: 'What such a proxy sends in the header X-Proxy-Secret, at least 32 characters.',
    default: 'none: it is off',
    read: sharedSecret,
  }),
  PROXY_SIGN_IN_HEADER: define({
    description: 'The header in which it says the verified email address of the person.',
    default: 'X-Forwarded-Email',
    read: headerName,
  }),
} as const;
