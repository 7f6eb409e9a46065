import { isProxy } from '../http/client-address.ts';
import { define } from './setting.ts';
import { integer, optionalOneOf, unexpected } from './setting-readers.ts';

const listOf = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const proxies = (value: string | undefined): readonly string[] => {
  const list = listOf(value);
  const wrong = list.find((proxy) => !isProxy(proxy));
  if (wrong !== undefined)
    throw unexpected('a list of addresses and networks such as 10.0.0.5, 10.1.0.0/16', wrong);
  return list;
};

const origins = (value: string | undefined): readonly string[] => {
  const list = listOf(value);
  const wrong = list.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong !== undefined)
    throw unexpected('a list of origins such as https://app.example.org, without a path', wrong);
  return list;
};

const file = (value: string | undefined): string | undefined => value;

/** The settings of TLS, proxies, CORS and rate limits. */
export const protectionSettings = {
  TLS: define({
    description:
      'self-signed: use TLS with a certificate that the server creates, keeps in DATA_DIR and renews.',
    default: 'none: plain HTTP, unless TLS_CERT is set',
    read: optionalOneOf(['self-signed']),
  }),
  TLS_CERT: define({
    description:
      'A PEM file with the certificate and the intermediate ones. The server reads it again when it changes.',
    default: 'none: plain HTTP, unless TLS is set',
    read: file,
  }),
  TLS_KEY: define({
    description: 'A PEM file with the private key of that certificate.',
    default: 'none',
    read: file,
  }),
  TRUSTED_PROXIES: define({
    description:
      'Addresses and networks of proxies in front of the server, separated by commas. Only from them are X-Forwarded-For, X-Forwarded-Proto and X-Request-Id trusted.',
    default: 'none: these headers are ignored',
    read: proxies,
  }),
  CORS_ORIGINS: define({
    description:
      'Origins whose pages may call the API from a browser, separated by commas, such as https://app.example.org.',
    default: 'none: only pages of this server',
    read: origins,
  }),
  RATE_LIMIT_PER_CREDENTIAL: define({
    description:
      'Maximum requests a minute of one person, API key, or application of a person; 0 means no limit.',
    default: '120000',
    read: integer(0, 1_000_000_000, 120_000),
  }),
  RATE_LIMIT_PER_ADDRESS: define({
    description: 'Maximum requests a minute without a valid credential from one address; 0 means no limit.',
    default: '6000',
    read: integer(0, 1_000_000_000, 6000),
  }),
  REQUEST_TIMEOUT_SECONDS: define({
    description: 'Maximum time that a request may take to arrive, in seconds.',
    default: '300',
    read: integer(1, 86_400, 300),
  }),
} as const;
