import { isProxy } from '../http/client-address.ts';
import { define } from './setting.ts';
import { integer, optionalOneOf } from './setting-readers.ts';

const listOf = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const proxies = (value: string | undefined): readonly string[] => {
  const list = listOf(value);
  const wrong = list.find((proxy) => !isProxy(proxy));
  if (wrong !== undefined)
    throw new Error(`has "${wrong}"; expected addresses and networks such as 10.0.0.5, 10.1.0.0/16`);
  return list;
};

const origins = (value: string | undefined): readonly string[] => {
  const list = listOf(value);
  const wrong = list.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong !== undefined)
    throw new Error(`has "${wrong}"; expected origins such as https://app.example.org, without a path`);
  return list;
};

const file = (value: string | undefined): string | undefined => value;

/** The settings of what keeps too much, and others' browsers, away. */
export const protectionSettings = {
  TLS: define({
    description:
      'self-signed: speak TLS with a certificate that the server makes, keeps in DATA_DIR and renews.',
    default: 'none: plain HTTP, unless TLS_CERT is set',
    read: optionalOneOf(['self-signed']),
  }),
  TLS_CERT: define({
    description:
      'A file with the certificate, and those in between, as PEM. It is read again when it has changed.',
    default: 'none: plain HTTP, unless TLS is set',
    read: file,
  }),
  TLS_KEY: define({
    description: 'A file with the private key of that certificate, as PEM.',
    default: 'none',
    read: file,
  }),
  TRUSTED_PROXIES: define({
    description:
      'Addresses and networks of proxies in front, with commas between, whose X-Forwarded-For, X-Forwarded-Proto and X-Request-Id count.',
    default: 'none: nobody says for whom they ask',
    read: proxies,
  }),
  CORS_ORIGINS: define({
    description:
      'Origins whose pages may call the API from a browser, with commas between, such as https://app.example.org.',
    default: 'none: only pages of this server',
    read: origins,
  }),
  RATE_LIMIT_PER_CREDENTIAL: define({
    description: 'Requests a minute of one person, API key, or application of a person; 0 is no limit.',
    default: '120000',
    read: integer(0, 1_000_000_000, 120_000),
  }),
  RATE_LIMIT_PER_ADDRESS: define({
    description: 'Requests a minute without a valid credential from one address; 0 is no limit.',
    default: '6000',
    read: integer(0, 1_000_000_000, 6000),
  }),
  REQUEST_TIMEOUT_SECONDS: define({
    description: 'How long a request may take to arrive, in seconds.',
    default: '300',
    read: integer(1, 86_400, 300),
  }),
} as const;
