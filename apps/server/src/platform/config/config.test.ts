/* Shows: K-body-limit, K-paths, D-signup-default, D-paths-bound, A-loopback, A-settings, A-memory-budget */
import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, queryMemoryOf, readConfig, signUpRule, singleSignOnOf } from './index.ts';
import { halfOf } from './machine-memory.ts';

const ruleOf = (environment: Record<string, string>) => signUpRule(readConfig(environment));
const limitsOf = (environment: Record<string, string>) => {
  const { MAX_BODY_BYTES, MAX_PATHS } = readConfig(environment);
  return [MAX_BODY_BYTES, MAX_PATHS];
};

const queryBytesOf = (environment: Record<string, string>) => queryMemoryOf(readConfig(environment));

test('the server listens on 127.0.0.1 unless HOST says otherwise', () => {
  equal(readConfig({}).HOST, '127.0.0.1');
  equal(readConfig({ HOST: '' }).HOST, '127.0.0.1');
  equal(readConfig({ HOST: '0.0.0.0' }).HOST, '0.0.0.0');
});

test('by default anybody can sign up if only this machine can reach the server, else only invited people', () => {
  for (const HOST of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) equal(ruleOf({ HOST }), 'open', HOST);
  for (const HOST of ['0.0.0.0', '::', '192.168.0.1', 'localhost.example.org', '127.0.0.1.example.org']) {
    equal(ruleOf({ HOST }), 'invited', HOST);
  }
  for (const SIGN_UP of ['open', 'invited', 'closed']) equal(ruleOf({ HOST: '0.0.0.0', SIGN_UP }), SIGN_UP);
});

test('limits have the defaults of the specification, and the operator can change them', () => {
  deepEqual(limitsOf({}), [64 * 1024 * 1024, 10_000]);
  deepEqual(limitsOf({ MAX_BODY_BYTES: '2048', MAX_PATHS: '5' }), [2048, 5]);
});

test('the memory limit of the record engine is half of the machine or container, or what the operator sets', () => {
  const gigabyte = 2 ** 30;
  equal(halfOf({ machine: 8 * gigabyte, container: 2 * gigabyte }), gigabyte);
  for (const none of [0, 2 ** 64]) equal(halfOf({ machine: 8 * gigabyte, container: none }), 4 * gigabyte);
  equal(halfOf({ machine: gigabyte / 4, container: 0 }), gigabyte / 2);
  equal(readConfig({}).MEMORY_LIMIT, halfOf());
  equal(readConfig({ MEMORY_LIMIT: '3000000000' }).MEMORY_LIMIT, 3_000_000_000);
});

test('the memory limit of a query is 2 GB, or half of that of the record engine if that is less', () => {
  equal(queryBytesOf({ MEMORY_LIMIT: '9000000000' }), 2 ** 31);
  equal(queryBytesOf({ MEMORY_LIMIT: '3000000000' }), 1_500_000_000);
  equal(queryBytesOf({ MEMORY_LIMIT: '3000000000', QUERY_MEMORY_BYTES: '2000000000' }), 2_000_000_000);
});

test('the error for a wrong setting names it, what was expected, the value and what to do', () => {
  for (const [name, value, expected] of [
    [
      'PORT',
      '99999',
      'PORT must be a whole number from 0 to 65535, got "99999". Change it, or unset it for the default (7600).',
    ],
    [
      'MAX_BODY_BYTES',
      '1e3x',
      'MAX_BODY_BYTES must be a whole number from 1024 to 1073741824, got "1e3x". Change it, or unset it for the default (67108864 (64 MB)).',
    ],
    [
      'CLICKHOUSE_URL',
      'http://redoubt:secret@localhost:8123',
      'CLICKHOUSE_URL must be a URL of the form http://host:8123 or https://host:8443, with the user and password in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, got another value (not shown, as it may contain a secret). Change it, or unset it for the default (the embedded engine in DATA_DIR).',
    ],
    [
      'CLICKHOUSE_CLUSTER',
      'main',
      'CLICKHOUSE_CLUSTER must be set together with CLICKHOUSE_URL, got only CLICKHOUSE_CLUSTER "main". Set CLICKHOUSE_URL to a server of the cluster, or unset CLICKHOUSE_CLUSTER.',
    ],
    [
      'S3_ACCESS_KEY_ID',
      'someone',
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, got only S3_ACCESS_KEY_ID. Set S3_SECRET_ACCESS_KEY as well, or unset S3_ACCESS_KEY_ID.',
    ],
    [
      'S3_BUCKET',
      'A/b',
      'S3_BUCKET must be 3 to 63 lower-case letters, digits, "." and "-", got "A/b". Change it, or unset it for the default (the folder objects in DATA_DIR).',
    ],
    [
      'S3_SHARED_BUCKETS',
      'good, A/b',
      'S3_SHARED_BUCKETS must be 3 to 63 lower-case letters, digits, "." and "-", got "A/b". Change it, or unset it for the default (none).',
    ],
    [
      'CLICKHOUSE_DATABASE',
      'a-b',
      'CLICKHOUSE_DATABASE must be a name of letters, digits and "_" that does not start with a digit, got "a-b". Change it, or unset it for the default (redoubt).',
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.1, proxy',
      'TRUSTED_PROXIES must be a list of addresses and networks such as 10.0.0.5, 10.1.0.0/16, got "proxy". Change it, or unset it for the default (none: these headers are ignored).',
    ],
    [
      'CORS_ORIGINS',
      'https://app.example.org/',
      'CORS_ORIGINS must be a list of origins such as https://app.example.org, without a path, got "https://app.example.org/". Change it, or unset it for the default (none: only pages of this server).',
    ],
    [
      'CORS_ORIGINS',
      '*',
      'CORS_ORIGINS must be a list of origins such as https://app.example.org, without a path, got "*". Change it, or unset it for the default (none: only pages of this server).',
    ],
    [
      'TLS',
      'yes',
      'TLS must be "self-signed", got "yes". Change it, or unset it for the default (none: plain HTTP, unless TLS_CERT is set).',
    ],
    [
      'TLS_CERT',
      'tls.crt',
      'TLS_CERT and TLS_KEY must be set together, got only TLS_CERT. Set TLS_KEY as well, or unset TLS_CERT.',
    ],
    [
      'STRIPE_SECRET_KEY',
      'sk_live_x',
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_BASE must be set together, got only STRIPE_SECRET_KEY. Set STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_BASE as well, or unset STRIPE_SECRET_KEY.',
    ],
    [
      'STRIPE_WEBHOOK_SECRET',
      'secret',
      'STRIPE_WEBHOOK_SECRET must be a text that starts with whsec_, got another value (not shown, as it may contain a secret). Change it, or unset it for the default (none).',
    ],
    [
      'STRIPE_API_URL',
      'stripe',
      'STRIPE_API_URL must be a URL of the form https://api.stripe.com, got another value (not shown, as it may contain a secret). Change it, or unset it for the default (https://api.stripe.com).',
    ],
    [
      'SIGN_UP',
      'yes',
      'SIGN_UP must be one of open, invited, closed, got "yes". Change it, or unset it for the default (open when HOST is loopback, else invited).',
    ],
    [
      'JWT_SECRET',
      'short',
      'JWT_SECRET must be at least 32 characters long, got 5 characters. Change it, or unset it for the default (created at the first start and kept in DATA_DIR).',
    ],
  ] as const) {
    throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof ConfigError && error.message === expected,
    );
  }
});

test('single sign-on is off by default, and the settings of a provider must be set together', () => {
  const { trustedIssuers, allowsPrivate, ...providers } = singleSignOnOf(readConfig({}));
  deepEqual(
    [trustedIssuers, allowsPrivate, new Set(Object.values(providers))],
    [[], false, new Set([undefined])],
  );
  const okta = {
    OKTA_ISSUER: 'https://example.okta.com/oauth2/default/',
    OKTA_CLIENT_ID: 'id',
    OKTA_CLIENT_SECRET: 'secret',
  };
  deepEqual(singleSignOnOf(readConfig(okta)).okta, {
    issuer: 'https://example.okta.com/oauth2/default',
    clientId: 'id',
    clientSecret: 'secret',
  });
  const { google, github } = singleSignOnOf(
    readConfig({
      GOOGLE_CLIENT_ID: 'a',
      GOOGLE_CLIENT_SECRET: 'b',
      GITHUB_CLIENT_ID: 'c',
      GITHUB_CLIENT_SECRET: 'd',
    }),
  );
  deepEqual(
    [google?.issuer, google?.tokenInfoUrl],
    ['https://accounts.google.com', 'https://oauth2.googleapis.com/tokeninfo'],
  );
  deepEqual([github?.url, github?.apiUrl], ['https://github.com', 'https://api.github.com']);
  for (const [environment, expected] of [
    [{ OKTA_CLIENT_ID: 'id' }, /got only OKTA_CLIENT_ID\. Set OKTA_ISSUER and OKTA_CLIENT_SECRET as well/],
    [{ GITHUB_CLIENT_SECRET: 's' }, /GITHUB_CLIENT_ID as well/],
    [
      { PROXY_SIGN_IN_FROM: '10.0.0.1' },
      /PROXY_SIGN_IN_SECRET must be set together, got only PROXY_SIGN_IN_FROM/,
    ],
    [{ PROXY_SIGN_IN_FROM: 'proxy.example.org' }, /must be a list of addresses and networks/],
    [{ PROXY_SIGN_IN_FROM: '10.0.0.0/33' }, /must be a list of addresses and networks/],
    [{ PROXY_SIGN_IN_SECRET: 'short' }, /at least 32 characters long, got 5 characters/],
    [{ PROXY_SIGN_IN_HEADER: 'X Email' }, /must be the name of a header, .* got "X Email"/],
    [{ KEYCLOAK_ISSUER: 'http://id.example.org' }, /https:/],
    [{ KEYCLOAK_ISSUER: 'http://localhost.example.org' }, /https:/],
    [{ SSO_TRUSTED_ISSUERS: 'https://a.example.org, b' }, /https:/],
    [{ ALLOW_PRIVATE_ADDRESSES: 'true' }, /yes or no/],
  ] as const) {
    throws(
      () => readConfig(environment),
      (error) => error instanceof ConfigError && expected.test(error.message),
    );
  }
  const proxy = { PROXY_SIGN_IN_FROM: '10.0.0.1, 10.1.0.0/16', PROXY_SIGN_IN_SECRET: 'x'.repeat(32) };
  deepEqual(singleSignOnOf(readConfig(proxy)).proxy, {
    from: ['10.0.0.1', '10.1.0.0/16'],
    secret: 'x'.repeat(32),
    emailHeader: 'x-forwarded-email',
  });
});
