import { isProxy } from '../http/client-address.ts';
import { requireSecretLength, unexpected } from './setting-readers.ts';
import { define } from './setting.ts';

/** The URL of a provider: with https, or on this machine. */
const providerAddress =
  <T extends string | undefined>(fallback: T) =>
  (value: string | undefined): string | T => {
    if (value === undefined) return fallback;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
    const isOwnMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '');
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnMachine);
    if (!isPlain || !isSafe) throw unexpected('a URL of the form https://id.example.org', value);
    return value.replace(/\/+$/, '');
  };

const asIs = (value: string | undefined): string | undefined => value;

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
    throw unexpected('a list of addresses and networks such as 10.0.0.5, 10.1.0.0/16', wrong);
  return peers;
};

const sharedSecret = (value: string | undefined): string | undefined => {
  requireSecretLength(value, 32);
  return value;
};

const headerName = (value: string | undefined): string => {
  if (value !== undefined && !/^[A-Za-z][A-Za-z0-9-]{0,99}$/.test(value))
    throw unexpected('the name of a header, such as X-Forwarded-Email', value);
  return (value ?? 'X-Forwarded-Email').toLowerCase();
};

const yesOrNo = (value: string | undefined): boolean => {
  if (value !== undefined && value !== 'yes' && value !== 'no') throw unexpected('yes or no', value);
  return value === 'yes';
};

const off = 'none: sign-in through it is off';
const client = (name: string) =>
  define({ description: `The client id of this server at ${name}.`, default: off, read: asIs });
const secret = (name: string) =>
  define({ description: `The client secret of this server at ${name}.`, default: 'none', read: asIs });
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
    description: 'The URL at which Google says to which client an access token was issued.',
    default: 'https://oauth2.googleapis.com/tokeninfo',
    read: providerAddress('https://oauth2.googleapis.com/tokeninfo'),
  }),
  GITHUB_CLIENT_ID: client('GitHub'),
  GITHUB_CLIENT_SECRET: secret('GitHub'),
  GITHUB_URL: define({
    description: 'The URL of GitHub or of a GitHub Enterprise Server.',
    default: 'https://github.com',
    read: providerAddress('https://github.com'),
  }),
  GITHUB_API_URL: define({
    description: 'The URL of the API of GitHub, or of that server (https://github.example.org/api/v3).',
    default: 'https://api.github.com',
    read: providerAddress('https://api.github.com'),
  }),
  SSO_TRUSTED_ISSUERS: define({
    description:
      "URL prefixes of the workspaces' own identity providers that are trusted for sign-in, separated by commas. Anybody who can create clients at such a provider can sign in as the people who use it.",
    default: "none: sign-in through workspaces' own providers is off",
    read: (value) => listOf(value).map((part) => providerAddress('')(part)),
  }),
  ALLOW_PRIVATE_ADDRESSES: define({
    description:
      'Whether the server may call URLs that users enter if they lead to private networks or to its own machine (yes or no).',
    default: 'no',
    read: yesOrNo,
  }),
  PROXY_SIGN_IN_FROM: define({
    description:
      'The addresses and networks of proxies that may sign people in (strategy "proxy"), separated by commas.',
    default: 'none: sign-in through a proxy is off',
    read: networks,
  }),
  PROXY_SIGN_IN_SECRET: define({
    description: 'The secret that such a proxy sends in the header X-Proxy-Secret, at least 32 characters.',
    default: 'none: sign-in through a proxy is off',
    read: sharedSecret,
  }),
  PROXY_SIGN_IN_HEADER: define({
    description: 'The header in which such a proxy sends the verified email address of the person.',
    default: 'X-Forwarded-Email',
    read: headerName,
  }),
} as const;
